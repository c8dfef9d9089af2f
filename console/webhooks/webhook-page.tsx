import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { Facts } from '../parts/facts.tsx'
import { Icon } from '../parts/icons.tsx'
import { BackLink } from '../parts/links/back-link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { useMay } from '../parts/may.ts'
import { Card, Page } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import type { Webhook } from '../wire.ts'
import { AttemptsCard } from './attempts-card.tsx'
import { FailedDeliveriesCard } from './failed-deliveries-card.tsx'
import { lagText, reasonWords, typesText } from './format.ts'
import { LockedNotice } from './locked-notice.tsx'
import { NoPermission } from './no-permission.tsx'
import { webhookQuery } from './queries.ts'
import { LastError, LastSuccess, StateTag } from './state-tag.tsx'
import { type WebhookAction, WebhookActionDialog } from './webhook-actions.tsx'
import styles from './webhooks.module.css'

const from = '/signed-in/projects/$projectId/settings/webhooks/$webhookId'
/** Deliveries are watched as they happen. */
const refetchInterval = 5_000

export function WebhookPage() {
  const { projectId, webhookId } = useParams({ from })
  const { mayManage } = useMay()
  const query = useQuery({ ...webhookQuery(projectId, webhookId), refetchInterval, enabled: mayManage })
  const [act, setAct] = useState<WebhookAction>()
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  const webhook = query.data
  return (
    <>
      <BackLink to={`/projects/${projectId}/settings/webhooks`} list="Webhooks" />
      <Page
        title={webhook === undefined ? 'Webhook' : new URL(webhook.url).host}
        actions={webhook !== undefined && <Actions webhook={webhook} begin={setAct} />}
      >
        {mayManage ? (
          <Loaded query={query} rows={6}>
            {(data) => <Details project={projectId} webhook={data} />}
          </Loaded>
        ) : (
          <NoPermission />
        )}
        {act !== undefined && webhook !== undefined && (
          <WebhookActionDialog project={projectId} webhook={webhook} act={act} next={setAct} />
        )}
      </Page>
    </>
  )
}

function Actions({ webhook, begin }: { webhook: Webhook; begin: (act: WebhookAction) => void }) {
  const button = (act: WebhookAction, label: string) => (
    <Button variant="default" onClick={() => begin(act)}>
      {label}
    </Button>
  )
  return (
    <>
      {webhook.state === 'disabled' && <Button onClick={() => begin('enable')}>Enable…</Button>}
      {button('test', 'Test…')}
      {webhook.state !== 'disabled' && button('replay', 'Replay…')}
      {button('rotate', 'Rotate secret…')}
      {button('edit', 'Edit…')}
      {webhook.state !== 'disabled' && button('disable', 'Disable…')}
      <Button variant="default" c="red" onClick={() => begin('delete')}>
        Delete…
      </Button>
    </>
  )
}

function Details({ project, webhook }: { project: number; webhook: Webhook }) {
  const view = useSearch({ from })
  const navigate = useNavigate()
  const params = { projectId: project, webhookId: webhook.id }
  return (
    <>
      <LockedNotice project={project} />
      {webhook.disabled_reason !== null && (
        <Alert color="red" icon={<Icon name="alert" />} title="Nothing is delivered">
          {reasonWords[webhook.disabled_reason]} Events are kept meanwhile.
        </Alert>
      )}
      <Card title="At a glance">
        <Glance webhook={webhook} />
      </Card>
      {webhook.parked > 0 && (
        <FailedDeliveriesCard project={project} webhook={webhook} refetchInterval={refetchInterval} />
      )}
      <AttemptsCard
        project={project}
        webhook={webhook.id}
        view={view}
        go={(search) =>
          navigate({
            to: '/projects/$projectId/settings/webhooks/$webhookId',
            params,
            search,
            resetScroll: false,
          })
        }
        refetchInterval={refetchInterval}
      />
    </>
  )
}

function Glance({ webhook }: { webhook: Webhook }) {
  const { rotation_ends_at } = webhook
  return (
    <Facts
      facts={{
        Address: <code className={styles.code}>{webhook.url}</code>,
        Events: typesText(webhook.types),
        State: <StateTag webhook={webhook} />,
        Lag: lagText(webhook.lag_seconds),
        'Last success': <LastSuccess webhook={webhook} />,
        'Last error': <LastError webhook={webhook} />,
        ...(rotation_ends_at !== null && {
          'Old secret': (
            <>
              signs too, until <Moment at={rotation_ends_at} />
            </>
          ),
        }),
        'Made by': (
          <>
            <bdi>{webhook.actor}</bdi>, <Moment at={webhook.created_at} />
          </>
        ),
      }}
    />
  )
}
