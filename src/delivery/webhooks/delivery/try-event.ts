import type { TryOutcome } from '../../../platform/http/metrics/shared-counters.ts'
import type { SecretBox } from '../../../platform/secrets/encrypted-secret.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { Outcome } from '../post-event.ts'
import { bodyOf } from '../sign-event.ts'
import { secretsOf, type Target, type TargetKey } from '../target.sql.ts'
import type { WebhookSender } from '../webhook-sender.ts'
import type { DeliveryLog } from './delivery-log.ts'
import type { HeldLane } from './lane.sql.ts'
import { blame } from './retry-plan.ts'

export type Tools = {
  box: SecretBox
  sender: WebhookSender
  log: DeliveryLog
  countTry: (outcome: TryOutcome) => void
  findTarget: (key: TargetKey) => Promise<Target | undefined>
  /** The lanes that this process delivers. A lost lane is removed. */
  held: Set<HeldLane>
}

/** When the turn of a webhook ends, and the signal that ends it early. */
export type Turn = { endsAt: number; signal: AbortSignal }

const outcomeOf = { nobody: 'delivered', endpoint: 'failed', event: 'refused', gone: 'gone' } as const

/** One try, signed by the secrets that are valid now. */
export async function tryEvent(
  { box, sender, log, countTry }: Tools,
  key: TargetKey,
  target: Target,
  event: CatalogEvent,
  tries: number,
): Promise<Outcome | 'secret_unreadable'> {
  const secrets = await secretsOf(box, target)
  if (secrets === undefined) return 'secret_unreadable'
  const body = bodyOf(event, sender.limits.bodyBytes)
  const outcome = await sender.post({ url: target.url, id: event.id, body, secrets })
  log.add(key, event, tries, outcome)
  countTry(outcomeOf[blame(outcome.status)])
  return outcome
}
