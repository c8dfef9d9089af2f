import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { Tag } from '../parts/badges.tsx'
import { UsageChart } from '../parts/charts/usage-chart.tsx'
import { Facts } from '../parts/facts.tsx'
import { numberText } from '../parts/format/number-text.ts'
import { rateText } from '../parts/format/rate-text.ts'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { apiAccessQuery, operatorProjectQuery } from '../queries.ts'
import type { OperatorProject } from '../wire.ts'
import { OperatorTokens } from './operator-tokens.tsx'
import { ProjectSettings } from './project-settings.tsx'
import { strings } from './project-strings.ts'

export function OperatorProjectPage() {
  const { projectId } = useParams({ from: '/signed-in/operator/projects/$projectId' })
  const query = useQuery(operatorProjectQuery(projectId))
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  return (
    <Page
      title={query.data?.name ?? strings.project.unnamed(projectId)}
      lead={strings.project.lead}
      actions={
        <Button component={Link} to={`/projects/${projectId}`} variant="default">
          {strings.project.viewAsMember}
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
            <Usage project={projectId} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Summary({ project }: { project: OperatorProject }) {
  return (
    <Card title={strings.project.summary.title}>
      <Facts
        facts={{
          [strings.project.summary.apiAccess]: project.has_api_access ? (
            <Tag tone="accent">{strings.projects.on}</Tag>
          ) : (
            <Tag tone="gray">{strings.projects.off}</Tag>
          ),
          [strings.project.summary.rateLimit]: project.has_api_access ? rateText(project.rate_limit) : '–',
          [strings.project.summary.products]: numberText(project.products),
          [strings.project.summary.members]: (
            <Anchor component={Link} to={`/projects/${project.id}/settings/members`}>
              {numberText(project.members)}
            </Anchor>
          ),
          [strings.project.summary.currency]: project.currency,
          [strings.project.summary.created]: <RelativeTime at={project.created_at} />,
          [strings.project.summary.id]: project.id,
        }}
      />
    </Card>
  )
}

function Usage({ project }: { project: number }) {
  const query = useQuery(apiAccessQuery(project))
  return (
    <Card title={strings.project.usage}>
      <Loaded query={query}>{({ usage }) => <UsageChart usage={usage} />}</Loaded>
    </Card>
  )
}
