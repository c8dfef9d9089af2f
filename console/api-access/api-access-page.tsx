import { useQuery } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { Tag } from '../parts/badges.tsx'
import { UsageChart } from '../parts/charts/usage-chart.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { Facts } from '../parts/facts.tsx'
import { isolate } from '../parts/format/isolate.ts'
import { planName } from '../parts/format/plan-name.ts'
import { rateText } from '../parts/format/rate-text.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { apiAccessQuery } from '../queries.ts'
import type { ApiAccess, SessionProject } from '../wire.ts'
import styles from './api-access.module.css'
import { MemberTokens } from './member-tokens.tsx'
import { QuickStart } from './quick-start.tsx'
import { ReferencePreview } from './reference-preview.tsx'
import { RequestAccess } from './request-access.tsx'
import { strings } from './strings.ts'

export function ApiAccessPage() {
  const { project } = useRouteContext({ from: '/signed-in/projects/$projectId' })
  const query = useQuery({
    ...apiAccessQuery(project.id),
    // Shows the operator's decision without a reload.
    refetchInterval: ({ state }) => (state.data?.locked === true ? 15_000 : false),
  })
  return (
    <Page
      title={strings.page.title}
      lead={strings.page.lead(isolate(project.name))}
      actions={query.data && <AccessTag locked={query.data.locked} />}
    >
      <Loaded query={query} rows={6}>
        {(access) =>
          access.locked ? (
            <>
              <RequestAccess project={project.id} request={access.request} />
              <ReferencePreview project={project.id} baseUrl={access.base_url} />
            </>
          ) : (
            <EnabledAccess project={project} access={access} />
          )
        }
      </Loaded>
    </Page>
  )
}

function AccessTag({ locked }: { locked: boolean }) {
  return locked ? <Tag tone="gray">{strings.page.off}</Tag> : <Tag tone="accent">{strings.page.on}</Tag>
}

function EnabledAccess({ project, access }: { project: SessionProject; access: ApiAccess }) {
  return (
    <>
      <MemberTokens project={project} access={access} />
      <Card title={strings.address.title}>
        <div className={styles.facts}>
          <div className={styles.address}>
            <code>{access.base_url}</code>
            <CopyButton text={access.base_url} label={strings.address.copy} />
          </div>
          <Facts
            facts={{
              [strings.address.plan]: planName(access.plan),
              [strings.address.rateLimit]: rateText(access.rate_limit),
            }}
          />
        </div>
      </Card>
      <QuickStart baseUrl={access.base_url} />
      <Card title={strings.usage}>
        <UsageChart usage={access.usage} />
      </Card>
    </>
  )
}
