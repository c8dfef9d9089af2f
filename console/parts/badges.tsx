import { Badge } from '@mantine/core'
import type { AccessRequest, Token } from '../wire.ts'
import { RelativeTime } from './format/relative-time.tsx'
import { strings } from './strings.ts'

type Tone = 'accent' | 'gray' | 'yellow' | 'red'

export function Tag({ tone, children }: { tone: Tone; children: string }) {
  return (
    <Badge color={tone} variant="light" radius="sm" size="md" tt="none" fw={560} miw="max-content">
      {children}
    </Badge>
  )
}

const requestStates = {
  open: { tone: 'yellow', text: strings.accessRequest.open },
  approved: { tone: 'accent', text: strings.accessRequest.approved },
  declined: { tone: 'red', text: strings.accessRequest.declined },
} as const

export function RequestStateTag({ state }: { state: AccessRequest['state'] }) {
  const { tone, text } = requestStates[state]
  return <Tag tone={tone}>{text}</Tag>
}

export type TokenState = 'revoked' | 'expired' | 'replaced' | 'new' | 'active'

export function tokenState({ revoked_at, expires_at, successor_id, shown }: Token): TokenState {
  const now = Date.now()
  if (revoked_at !== null && Date.parse(revoked_at) <= now) return 'revoked'
  if (expires_at !== null && Date.parse(expires_at) <= now) return 'expired'
  if (successor_id !== null) return 'replaced'
  return shown ? 'active' : 'new'
}

const tokenStates = {
  revoked: { tone: 'red', text: strings.token.revoked },
  expired: { tone: 'gray', text: strings.token.expired },
  replaced: { tone: 'gray', text: strings.token.replaced },
  new: { tone: 'yellow', text: strings.token.new },
  active: { tone: 'accent', text: strings.token.active },
} as const

export function TokenStateTag({ token }: { token: Token }) {
  const { tone, text } = tokenStates[tokenState(token)]
  return (
    <>
      <Tag tone={tone}>{text}</Tag> {token.revoked_at !== null && <RelativeTime at={token.revoked_at} />}
    </>
  )
}
