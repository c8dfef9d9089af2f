import { ActionIcon, Alert, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ProblemError } from '../network.ts'
import { MissingPage } from '../pages/missing-page.tsx'
import { Facts } from '../parts/facts.tsx'
import { RelativeTime } from '../parts/format/relative-time.tsx'
import { Icon } from '../parts/icons.tsx'
import { BackLink } from '../parts/links/back-link.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Card, Page } from '../parts/page.tsx'
import { usePermissions } from '../parts/permissions.ts'
import type { Webhook } from '../wire.ts'
import { AttemptsCard } from './attempts-card.tsx'
import { FailedDeliveriesCard } from './failed-deliveries-card.tsx'
import { lagText, typesText } from './format.ts'
import { LockedNotice } from './locked-notice.tsx'
import { NoWebhookPermission } from './no-permission.tsx'
import { webhookQuery } from './queries.ts'
import { LastError, LastSuccess, StateTag } from './state-tag.tsx'
import { strings } from './strings.ts'
import { type WebhookAction, WebhookActionDialog } from './webhook-actions.tsx'
import styles from './webhooks.module.css'

const from = '/signed-in/projects/$projectId/settings/webhooks/$webhookId'
/** Shows deliveries as they happen. */
const refetchInterval = 5_000

export function WebhookPage() {
  const { projectId, webhookId } = useParams({ from })
  const { canManage } = usePermissions()
  const query = useQuery({ ...webhookQuery(projectId, webhookId), refetchInterval, enabled: canManage })
  const [action, setAction] = useState<WebhookAction>()
  if (query.error instanceof ProblemError && query.error.status === 404) return <MissingPage />
  const webhook = query.data
  return (
    <>
      <BackLink to={`/projects/${projectId}/settings/webhooks`} list={strings.page.title} />
      <Page
        title={webhook === undefined ? strings.details.title : new URL(webhook.url).host}
        actions={webhook !== undefined && <Actions webhook={webhook} begin={setAction} />}
      >
        {canManage ? (
          <Loaded query={query} rows={6}>
            {(data) => <Details project={projectId} webhook={data} />}
          </Loaded>
        ) : (
          <NoWebhookPermission />
        )}
        {action !== undefined && webhook !== undefined && (
          <WebhookActionDialog project={projectId} webhook={webhook} action={action} next={setAction} />
        )}
      </Page>
    </>
  )
}

function Actions({ webhook, begin }: { webhook: Webhook; begin: (action: WebhookAction) => void }) {
  const isDisabled = webhook.state === 'disabled'
  const item = (action: keyof typeof strings.actions.items, isDanger = false) => (
    <Menu.Item {...(isDanger && { c: 'red' })} onClick={() => begin(action)}>
      {strings.actions.items[action]}
    </Menu.Item>
  )
  return (
    <>
      {isDisabled ? (
        <Button onClick={() => begin('enable')}>{strings.actions.enable}</Button>
      ) : (
        <Button variant="default" onClick={() => begin('test')}>
          {strings.actions.items.test}
        </Button>
      )}
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={strings.actions.more}>
            <Icon name="more" size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {isDisabled ? item('test') : item('replay')}
          {item('edit')}
          {item('rotate')}
          {!isDisabled && item('disable')}
          <Menu.Divider />
          {item('delete', true)}
        </Menu.Dropdown>
      </Menu>
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
        <Alert color="red" icon={<Icon name="alert" />} title={strings.details.disabled}>
          {strings.details.withReason(strings.disabledReasons[webhook.disabled_reason])}
        </Alert>
      )}
      <Card title={strings.details.summary}>
        <Summary webhook={webhook} />
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

function Summary({ webhook }: { webhook: Webhook }) {
  const { rotation_ends_at } = webhook
  return (
    <Facts
      facts={{
        [strings.facts.url]: <code className={styles.code}>{webhook.url}</code>,
        [strings.facts.events]: typesText(webhook.types),
        [strings.facts.state]: <StateTag webhook={webhook} />,
        [strings.facts.lag]: lagText(webhook.lag_seconds),
        [strings.facts.lastSuccess]: <LastSuccess webhook={webhook} />,
        [strings.facts.lastError]: <LastError webhook={webhook} />,
        ...(rotation_ends_at !== null && {
          [strings.facts.oldSecret]: (
            <>
              {strings.facts.oldSecretValid} <RelativeTime at={rotation_ends_at} />
            </>
          ),
        }),
        [strings.facts.createdBy]: (
          <>
            <bdi>{webhook.actor}</bdi>
            {', '}
            <RelativeTime at={webhook.created_at} />
          </>
        ),
      }}
    />
  )
}
