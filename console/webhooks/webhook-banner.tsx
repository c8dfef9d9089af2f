import { Alert, Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { Icon } from '../parts/icons.tsx'
import { useMay } from '../parts/may.ts'
import type { Webhook } from '../wire.ts'
import { shortAddress } from './format.ts'
import { webhooksQuery } from './queries.ts'
import styles from './webhooks.module.css'

/** A receiver that is away for a moment is no news. */
const patienceMilliseconds = 3_600_000

/** Above every page of the project but those of webhooks: that events do not arrive. */
export function WebhookBanner({ project }: { project: number }) {
  const { mayManage } = useMay()
  const path = `/projects/${project}/settings/webhooks`
  const isThere = useLocation({ select: ({ pathname }) => pathname.startsWith(path) })
  const { data } = useQuery({
    ...webhooksQuery(project),
    enabled: mayManage && !isThere,
    staleTime: 60_000,
    refetchInterval: 60_000,
  })
  const troubled = data?.results.filter(isTroubled) ?? []
  const [first] = troubled
  if (first === undefined || isThere || !mayManage) return null
  return (
    <Alert
      className={styles.banner ?? ''}
      color={troubled.some(({ state }) => state === 'disabled') ? 'red' : 'yellow'}
      role="status"
      icon={<Icon name="alert" />}
    >
      {sentence(troubled, first)}{' '}
      <Anchor component={Link} to={troubled.length === 1 ? `${path}/${first.id}` : path} inherit>
        {troubled.length === 1 ? 'Look at it' : 'Look at them'}
      </Anchor>
    </Alert>
  )
}

/** Who disabled one by hand knows. */
function isTroubled({ state, disabled_reason, failing_since }: Webhook): boolean {
  if (state !== 'failing') return state === 'disabled' && disabled_reason !== 'by_hand'
  return failing_since !== null && Date.parse(failing_since) < Date.now() - patienceMilliseconds
}

function sentence(troubled: Webhook[], { url, state }: Webhook): string {
  if (troubled.length > 1) return `${troubled.length} webhooks are failing or disabled.`
  return `The webhook to ${shortAddress(url)} is ${state}.`
}
