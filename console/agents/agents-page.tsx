import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useRouteContext } from '@tanstack/react-router'
import { RequestAccess } from '../api-access/request-access.tsx'
import { CodeBlock } from '../parts/code-block.tsx'
import { isolate } from '../parts/format/isolate.ts'
import { Icon } from '../parts/icons.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { apiAccessQuery } from '../queries.ts'
import type { ApiAccess, SessionProject } from '../wire.ts'
import { AgentSettings } from './agent-settings.tsx'
import { AgentToken } from './agent-token.tsx'
import styles from './agents.module.css'
import { strings } from './strings.ts'

export function AgentsPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const query = useQuery(apiAccessQuery(project.id))
  return (
    <Page title={strings.page.title} lead={strings.page.lead(isolate(project.name))}>
      <Loaded query={query} rows={6}>
        {(access) =>
          access.locked ? (
            <RequestAccess project={project.id} request={access.request} />
          ) : (
            <Steps project={project} access={access} />
          )
        }
      </Loaded>
    </Page>
  )
}

function Steps({ project, access }: { project: SessionProject; access: ApiAccess }) {
  const service = new URL(access.base_url).origin
  return (
    <>
      <AgentToken project={project} access={access} />
      <AgentSettings urls={{ service, endpoint: `${service}/mcp` }} />
      <Card
        title={strings.firstTask.title}
        lead={strings.firstTask.lead}
        actions={
          <Button
            component={Link}
            to={`/projects/${project.id}/proposals`}
            variant="default"
            size="xs"
            rightSection={<Icon name="chevron" size={14} />}
          >
            {strings.firstTask.proposals}
          </Button>
        }
      >
        <div className={styles.task}>
          <CodeBlock code={strings.firstTask.task} label={strings.firstTask.label} />
        </div>
      </Card>
    </>
  )
}
