import { Alert, Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ProgressBar } from '../parts/charts/progress-bar.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Icon } from '../parts/icons.tsx'
import type { Proposal } from '../wire.ts'
import { originLabels } from './labels.ts'
import { ProposalStateTag } from './proposal-columns.tsx'
import styles from './proposal-summary.module.css'
import { strings } from './strings.ts'

type Props = { project: number; proposal: Proposal; isApplying: boolean }

/** State, origin, progress and conflicts of a proposal. */
export function ProposalSummary({ project, proposal, isApplying }: Props) {
  const facts = factsOf(project, proposal)
  return (
    <section aria-label={strings.proposal.summary} className={styles.summary}>
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
    [strings.proposal.facts.state, <ProposalStateTag key="state" proposal={proposal} />],
    [strings.proposal.facts.from, originLabels[origin]],
    [strings.proposal.facts.actor, <bdi key="actor">{actor}</bdi>],
    [strings.proposal.facts.created, <RelativeTime key="created" at={created_at} />],
    ...(applied_at === null
      ? []
      : [[strings.proposal.facts.applied, <RelativeTime key="at" at={applied_at} />] as Fact]),
    ...(state === 'open'
      ? [[strings.proposal.facts.expires, <RelativeTime key="ends" at={expires_at} />] as Fact]
      : []),
    ...linked(strings.proposal.facts.reverts, reverts),
    ...linked(strings.proposal.facts.revertedBy, reverted_by?.id),
  ]
}

function ProposalLink({ project, id }: { project: number; id: number }) {
  return (
    <Anchor component={Link} to={`/projects/${project}/proposals/${id}`}>
      {strings.proposal.number(id)}
    </Anchor>
  )
}

function Progress({ proposal: { state, summary }, isApplying }: Omit<Props, 'project'>) {
  const { total, prepared, states } = summary
  if (state === 'preparing')
    return <ProgressBar label={strings.proposal.preparing} done={prepared} total={total} />
  if (!isApplying && state !== 'applying') return null
  return <ProgressBar label={strings.proposal.applying} done={total - states.open} total={total} />
}

function Conflicts({ project, proposal: { id, summary } }: Omit<Props, 'isApplying'>) {
  const { conflict } = summary.states
  return (
    <Alert color="yellow" icon={<Icon name="alert" />} title={strings.proposal.conflicts(conflict)}>
      {strings.proposal.conflictText(conflict)}{' '}
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
        {strings.proposal.showConflicts}
      </Anchor>
    </Alert>
  )
}
