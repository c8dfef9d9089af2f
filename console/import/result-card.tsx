import { Alert, Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { numberText } from '../parts/format/number-text.ts'
import { Icon } from '../parts/icons.tsx'
import chips from '../parts/links/filter-links.module.css'
import { Card } from '../parts/page.tsx'
import type { Proposal } from '../wire.ts'
import styles from './import.module.css'
import { strings } from './strings.ts'

const outcomes = Object.entries(strings.result.outcomes) as [keyof typeof strings.result.outcomes, string][]

const repeatedShown = 10

type Props = {
  project: number
  proposals: Proposal[]
  /** SKUs that occur more than once in the file. */
  repeated?: string[]
  isManager: boolean
  isDone: boolean
}

/** The outcomes of the lines. Each count links to its lines. */
export function ResultCard({ project, proposals, repeated = [], isManager, isDone }: Props) {
  const [first] = proposals
  if (first === undefined) return null
  const state = isDone ? strings.result.done : strings.result.partly
  const next = isManager ? strings.result.manager : strings.result.editor
  return (
    <Card
      title={strings.result.title(proposals.length)}
      lead={`${state} ${next}`}
      actions={
        proposals.length === 1 &&
        isDone && (
          <Button component={Link} to={`/projects/${project}/proposals/${first.id}`}>
            {strings.result.open}
          </Button>
        )
      }
    >
      {repeated.length > 0 && (
        <Alert
          color="yellow"
          icon={<Icon name="alert" />}
          title={strings.result.repeated(repeated.length)}
          mb="md"
        >
          <bdi>{repeated.slice(0, repeatedShown).join(', ')}</bdi>
          {repeated.length > repeatedShown && '…'} {strings.result.repeatedHint}
        </Alert>
      )}
      <ul className={styles.proposals}>
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <Anchor component={Link} to={`/projects/${project}/proposals/${proposal.id}`} fw={560}>
              <bdi>{proposal.title}</bdi>
            </Anchor>
            <ul className={styles.outcomes} aria-label={strings.result.lines(proposal.title)}>
              {outcomes
                .filter(([outcome]) => proposal.summary.outcomes[outcome] > 0)
                .map(([outcome, name]) => (
                  <li key={outcome}>
                    <Link
                      to="/projects/$projectId/proposals/$proposalId"
                      params={{ projectId: project, proposalId: proposal.id }}
                      search={{ outcome }}
                      className={chips.filter}
                    >
                      {name} <span className="tabular">{numberText(proposal.summary.outcomes[outcome])}</span>
                    </Link>
                  </li>
                ))}
            </ul>
          </li>
        ))}
      </ul>
    </Card>
  )
}
