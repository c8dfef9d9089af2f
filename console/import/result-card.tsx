import { Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Card } from '../parts/page.tsx'
import { counted, numberText } from '../parts/words/number-text.ts'
import chips from '../proposals/line-filters.module.css'
import type { Outcome } from '../proposals/words.ts'
import type { Proposal } from '../wire.ts'
import styles from './import.module.css'

const outcomes: [Outcome, string][] = [
  ['created', 'New products'],
  ['updated', 'Changes'],
  ['unchanged', 'No change'],
  ['rejected', 'Rejected'],
]

type Props = { project: number; proposals: Proposal[]; isManager: boolean; isDone: boolean }

/** What the lines would do; each number leads to its lines, where they are looked at and applied. */
export function ResultCard({ project, proposals, isManager, isDone }: Props) {
  const [first] = proposals
  if (first === undefined) return null
  const who = isManager
    ? 'Open it to see each line, and to apply it.'
    : 'A manager of the project can apply it.'
  return (
    <Card
      title={proposals.length === 1 ? 'Proposal' : counted(proposals.length, 'proposal')}
      lead={`${isDone ? 'All lines are sent, and nothing of the catalog has changed yet.' : 'What is sent so far. Nothing of the catalog has changed yet.'} ${who}`}
      actions={
        proposals.length === 1 &&
        isDone && (
          <Button component={Link} to={`/projects/${project}/proposals/${first.id}`}>
            Open the proposal
          </Button>
        )
      }
    >
      <ul className={styles.proposals}>
        {proposals.map((proposal) => (
          <li key={proposal.id}>
            <Anchor component={Link} to={`/projects/${project}/proposals/${proposal.id}`} fw={560}>
              <bdi>{proposal.title}</bdi>
            </Anchor>
            <ul className={styles.outcomes} aria-label={`Lines of ${proposal.title}`}>
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
