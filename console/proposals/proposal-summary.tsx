import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProgressBar } from '../parts/charts/progress-bar.tsx'
import { Icon } from '../parts/icons.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { counted } from '../parts/words/number-text.ts'
import type { Proposal } from '../wire.ts'
import { ProposalStateTag } from './proposal-columns.tsx'
import styles from './proposal-summary.module.css'
import { originWords } from './words.ts'

type Props = { project: number; proposal: Proposal; isApplying: boolean }

/** The state of a proposal, where it comes from, how far it is, and what stands in its way. */
export function ProposalSummary({ project, proposal, isApplying }: Props) {
  const facts = factsOf(project, proposal)
  return (
    <section aria-label="State of the proposal" className={styles.summary}>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Progress proposal={proposal} isApplying={isApplying} />
      {proposal.summary.states.conflict > 0 && !isApplying && proposal.state !== 'applying' && (
        <Conflicts project={project} proposal={proposal} />
      )}
    </section>
  )
}

type Fact = [string, ReactNode]

function factsOf(project: number, proposal: Proposal): Fact[] {
  const { state, origin, actor, reverts, reverted_by, created_at, applied_at, expires_at } = proposal
  const linked = (name: string, id: number | undefined | null): Fact[] =>
    id == null ? [] : [[name, <ProposalLink key={name} project={project} id={id} />]]
  return [
    ['State', <ProposalStateTag key="state" proposal={proposal} />],
    ['From', originWords[origin]],
    ['Proposed by', <bdi key="actor">{actor}</bdi>],
    ['Created', <Moment key="created" at={created_at} />],
    ...(applied_at === null ? [] : [['Applied', <Moment key="at" at={applied_at} />] as Fact]),
    ...(state === 'open' ? [['Expires', <Moment key="ends" at={expires_at} />] as Fact] : []),
    ...linked('Undoes', reverts),
    ...linked('Undone by', reverted_by?.id),
  ]
}

function ProposalLink({ project, id }: { project: number; id: number }) {
  return (
    <Anchor component={Link} to={`/projects/${project}/proposals/${id}`}>
      Proposal {id}
    </Anchor>
  )
}

function Progress({ proposal: { state, summary }, isApplying }: Omit<Props, 'project'>) {
  const { total, prepared, states } = summary
  if (state === 'preparing') return <ProgressBar label="Preparing" done={prepared} total={total} />
  if (!isApplying && state !== 'applying') return null
  return <ProgressBar label="Applying" done={total - states.open} total={total} />
}

function Conflicts({ project, proposal: { id, summary } }: Omit<Props, 'isApplying'>) {
  const { conflict } = summary.states
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={counted(conflict, 'conflict')}>
      Somebody else has changed {conflict === 1 ? 'this product' : 'these products'} since, so{' '}
      {conflict === 1 ? 'it was' : 'they were'} left alone.{' '}
      <Anchor
        renderRoot={(props) => (
          <Link
            {...props}
            to="/projects/$projectId/proposals/$proposalId"
            params={{ projectId: project, proposalId: id }}
            search={{ state: 'conflict' }}
            resetScroll={false}
          />
        )}
      >
        Show what differs
      </Anchor>
    </Alert>
  )
}
