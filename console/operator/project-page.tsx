import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { Tag } from '../parts/badges.tsx'
import { UsageChart } from '../parts/charts/usage-chart.tsx'
import { Facts } from '../parts/facts.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { numberText } from '../parts/words/number-text.ts'
import { rateText } from '../parts/words/rate-text.ts'
import { apiAccessQuery, operatorProjectQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import { OperatorTokens } from './operator-tokens.tsx'
import { ProjectSettings } from './project-settings.tsx'

export function OperatorProjectPage() {
  const { projectId } = useParams({ from: '/signed-in/operator/projects/$projectId' })
  const query = useQuery(operatorProjectQuery(projectId))
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  return (
    <Page
      title={query.data?.name ?? `Project ${projectId}`}
      lead="Plan, limits, tokens and use of one project."
      actions={
        <Button component={Link} to={`/projects/${projectId}`} variant="default">
          See it as a member
        </Button>
      }
    >
      <Loaded query={query} rows={6}>
        {(project) => (
          <>
            <Summary project={project} />
            <ProjectSettings
              key={`${project.plan} ${project.api_access} ${project.rate_limit_override}`}
              project={project}
            />
            <OperatorTokens project={project} />
            <Use project={projectId} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Summary({ project }: { project: OperatorProject }) {
  return (
    <Card title="At a glance">
      <Facts
        facts={{
          'API access': project.has_api_access ? <Tag tone="accent">On</Tag> : <Tag tone="gray">Locked</Tag>,
          'Rate limit': project.has_api_access ? rateText(project.rate_limit) : 'None while access is locked',
          Products: numberText(project.products),
          Currency: project.currency,
          Created: <Moment at={project.created_at} />,
          'Project id': project.id,
        }}
      />
    </Card>
  )
}

function Use({ project }: { project: number }) {
  const query = useQuery(apiAccessQuery(project))
  return (
    <Card title="Requests per day">
      <Loaded query={query}>{({ usage }) => <UsageChart usage={usage} />}</Loaded>
    </Card>
  )
}
