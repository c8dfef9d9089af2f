import { Alert, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ProblemError } from '../network.ts'
import { Facts } from '../parts/facts.tsx'
import { Icon } from '../parts/icons.tsx'
import { BackLink } from '../parts/links/back-link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { useMay } from '../parts/may.ts'
import { Card, Page } from '../parts/page.tsx'
import { Moment } from '../parts/words/moment.tsx'
import { AttemptsCard } from '../webhooks/attempts-card.tsx'
import { LockedNote } from '../webhooks/locked-note.tsx'
import { NoRights } from '../webhooks/no-rights.tsx'
import { ParkedCard } from '../webhooks/parked-card.tsx'
import { webhookQuery } from '../webhooks/queries.ts'
import { LastError, LastSuccess, StateTag } from '../webhooks/state-tag.tsx'
import { type Act, WebhookAct } from '../webhooks/webhook-act.tsx'
import styles from '../webhooks/webhooks.module.css'
import { lagText, reasonWords, typesText } from '../webhooks/words.ts'
import type { Webhook } from '../wire.ts'
import { MissingPage } from './missing-page.tsx'

const from = '/signed-in/projects/$projectId/settings/webhooks/$webhookId'
/** Deliveries are watched as they happen. */
const refetchInterval = 5_000

export function WebhookPage() {
  const { projectId, webhookId } = useParams({ from })
  const { mayManage } = useMay()
  const query = useQuery({ ...webhookQuery(projectId, webhookId), refetchInterval, enabled: mayManage })
  const [act, setAct] = useState<Act>()
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
          <NoRights />
        )}
        {act !== undefined && webhook !== undefined && (
          <WebhookAct project={projectId} webhook={webhook} act={act} next={setAct} />
        )}
      </Page>
    </>
  )
}

function Actions({ webhook, begin }: { webhook: Webhook; begin: (act: Act) => void }) {
  const button = (act: Act, label: string) => (
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
      <LockedNote project={project} />
      {webhook.disabled_reason !== null && (
        <Alert color="red" icon={<Icon name="alert" />} title="Nothing is delivered">
          {reasonWords[webhook.disabled_reason]} Events are kept meanwhile.
        </Alert>
      )}
      <Card title="At a glance">
        <Glance webhook={webhook} />
      </Card>
      {webhook.parked > 0 && (
        <ParkedCard project={project} webhook={webhook} refetchInterval={refetchInterval} />
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
