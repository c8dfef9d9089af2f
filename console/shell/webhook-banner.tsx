import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { usePermissions } from '../parts/permissions.ts'
import { webhooksQuery } from '../webhooks/queries.ts'
import { shortUrl } from '../webhooks/short-url.ts'
import type { Webhook } from '../wire.ts'
import styles from './shell.module.css'
import { strings } from './strings.ts'

/** Short failures of a receiver are not reported. */
const graceMilliseconds = 3_600_000

/** Reports failing webhooks above every other page of the project. */
export function WebhookBanner({ project }: { project: number }) {
  const { canManage } = usePermissions()
  const path = `/projects/${project}/settings/webhooks`
  const isWebhookPage = useLocation({ select: ({ pathname }) => pathname.startsWith(path) })
  const { data } = useQuery({
    ...webhooksQuery(project),
    enabled: canManage && !isWebhookPage,
    staleTime: 60_000,
    refetchInterval: 60_000,
  })
  const troubled = data?.results.filter(isTroubled) ?? []
  const [first] = troubled
  if (first === undefined || isWebhookPage || !canManage) return null
  return (
    <Alert
      className={styles.webhookBanner ?? ''}
      color={troubled.some(({ state }) => state === 'disabled') ? 'red' : 'yellow'}
      role="status"
      icon={<Icon name="alert" />}
    >
      {sentence(troubled, first)}{' '}
      <Anchor component={Link} to={troubled.length === 1 ? `${path}/${first.id}` : path} inherit>
        {troubled.length === 1 ? strings.webhookBanner.viewOne : strings.webhookBanner.viewMany}
      </Anchor>
    </Alert>
  )
}

/** A webhook that a user disabled needs no report. */
function isTroubled({ state, disabled_reason, failing_since }: Webhook): boolean {
  if (state !== 'failing') return state === 'disabled' && disabled_reason !== 'by_hand'
  return failing_since !== null && Date.parse(failing_since) < Date.now() - graceMilliseconds
}

function sentence(troubled: Webhook[], { url, state }: Webhook): string {
  if (troubled.length > 1) return strings.webhookBanner.many(troubled.length)
  return strings.webhookBanner.one(shortUrl(url), state)
}
