import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isActive } from '../../src/catalog/runs/run-states.ts'
import { fieldLabel } from '../../src/model/fields/field-paths.ts'
import { ProgressBar } from '../parts/charts/progress-bar.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Icon } from '../parts/icons.tsx'
import { PromptLink } from '../parts/links/prompt-link.tsx'
import { Card } from '../parts/page.tsx'
import type { Run } from '../wire.ts'
import { costText } from './cost-text.ts'
import styles from './prompt-runs.module.css'
import { processedOf, RunStateTag } from './run-state-tag.tsx'
import { strings } from './strings.ts'

type Props = { project: number; run: Run }

export function RunSummary({ project, run }: Props) {
  return (
    <>
      <Attention run={run} />
      <Card title={strings.run.progress}>
        <Progress run={run} />
      </Card>
      <div className={styles.cards}>
        <Card title={strings.run.details}>
          <Details project={project} run={run} />
        </Card>
        <Card title={strings.run.cost}>
          <Cost run={run} />
        </Card>
      </div>
    </>
  )
}

/** Why the run stopped, is about to stop, or does not go on. */
function Attention({ run: { state, reason, resumes_at } }: { run: Run }) {
  if (reason === null || (reason === 'by_user' && !isActive(state))) return null
  if (reason === 'by_user')
    return (
      <Alert color="yellow" role="status" icon={<Icon name="clock" />} title={strings.run.stopping}>
        {strings.run.stoppingText}
      </Alert>
    )
  const title = isActive(state) ? strings.run.waitsFor : strings.run.attention
  return (
    <Alert color="yellow" role="status" icon={<Icon name="alert" />} title={title}>
      {isActive(state) && reason === 'rate_limited' ? strings.run.limited : strings.reasons[reason]}
      {resumes_at !== null && (
        <>
          {' '}
          {strings.run.resumes} <RelativeTime at={resumes_at} />.
        </>
      )}
    </Alert>
  )
}

const counts = ['done', 'failed', 'declined', 'skipped', 'reused'] as const

function Progress({ run }: { run: Run }) {
  return (
    <div className={styles.progress}>
      <ProgressBar label={strings.run.processed} done={processedOf(run)} total={run.products} />
      <dl className={styles.counts}>
        {counts.map((name) => (
          <div key={name}>
            <dt>{strings.counts[name]}</dt>
            <dd>
              <strong>{numberText(run[name])}</strong>
              <span>{strings.counts.hints[name]}</span>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

function Details({ project, run }: Props) {
  const { prompt, version_number, model, provider, write, sample, actor, created_at, proposals } = run
  const links = proposals.map((id) => (
    <Anchor key={id} component={Link} to={`/projects/${project}/proposals/${id}`}>
      {strings.facts.proposal(id)}
    </Anchor>
  ))
  return (
    <Facts
      facts={{
        [strings.facts.state]: <RunStateTag state={run.state} />,
        [strings.facts.proposals]:
          links.length === 0 ? strings.facts.noProposals : <div className={styles.links}>{links}</div>,
        [strings.facts.prompt]: <PromptLink prompt_id={prompt} version_number={version_number} />,
        [strings.facts.fields]: write.map(fieldLabel).join(', '),
        [strings.facts.model]: <span className={styles.long}>{strings.facts.modelOf(model, provider)}</span>,
        [strings.facts.sample]: sample === 0 ? strings.facts.noSample : strings.facts.sampled(sample),
        [strings.facts.started]: (
          <span className={styles.long}>
            <bdi>{actor}</bdi>, <RelativeTime at={created_at} />
          </span>
        ),
      }}
    />
  )
}

function Cost({ run: { cost, tokens } }: { run: Run }) {
  const { budget, reserved, spent, currency } = cost
  const reservedText = costText(reserved, currency)
  return (
    <Facts
      facts={{
        [strings.cost.budget]: budget === null ? strings.cost.noBudget : costText(budget, currency),
        [strings.cost.spent]: costText(spent, currency),
        [strings.cost.reserved]:
          reserved === 0 ? reservedText : `${reservedText}: ${strings.cost.reservedHint}`,
        [strings.cost.tokens]: strings.cost.tokensOf(tokens.input, tokens.output),
      }}
    />
  )
}
