import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { BackLink } from '../parts/links/back-link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { proposalsKey } from '../proposals/queries.ts'
import type { Run } from '../wire.ts'
import { CallsCard } from './calls-card.tsx'
import { runQuery } from './queries.ts'
import { RunActions } from './run-actions.tsx'
import { RunSummary } from './run-summary.tsx'
import type { CallsSearch } from './states.ts'
import { strings } from './strings.ts'

const from = '/signed-in/projects/$projectId/runs/$runId'

export function RunPage() {
  const { projectId, runId } = useParams({ from })
  const { canWrite } = usePermissions()
  const query = useQuery({ ...runQuery(projectId, runId), enabled: canWrite })
  useFreshProposals(projectId, query.data)
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  const run = query.data
  return (
    <>
      <BackLink to={`/projects/${projectId}/runs`} list={strings.list.title} />
      <Page
        title={strings.run.number(runId)}
        lead={run === undefined ? undefined : strings.leads[run.state]}
        actions={run !== undefined && <RunActions project={projectId} run={run} />}
      >
        {canWrite ? (
          <Loaded query={query} rows={8}>
            {(data) => <Details project={projectId} run={data} />}
          </Loaded>
        ) : (
          <Card title={strings.noPermission.title}>{strings.noPermission.text}</Card>
        )}
      </Page>
    </>
  )
}

function Details({ project, run }: { project: number; run: Run }) {
  const view = useSearch({ from })
  const navigate = useNavigate()
  const go = (search: CallsSearch) =>
    navigate({
      to: '/projects/$projectId/runs/$runId',
      params: { projectId: project, runId: run.id },
      search,
      resetScroll: false,
    })
  return (
    <>
      <RunSummary project={project} run={run} />
      <CallsCard project={project} run={run} view={view} go={go} />
    </>
  )
}

/** The navigation counts open proposals. */
function useFreshProposals(project: number, run: Run | undefined): void {
  const queries = useQueryClient()
  const count = run?.proposals.length ?? 0
  useEffect(() => {
    if (count > 0) void queries.invalidateQueries({ queryKey: proposalsKey(project) })
  }, [queries, project, count])
}
