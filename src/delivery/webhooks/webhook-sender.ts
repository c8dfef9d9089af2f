import type { FastifyBaseLogger } from 'fastify'
import { type DialRules, dialRules } from '../../platform/outbound/check-address.ts'
import { guardedAgents, refusesLoopback } from '../../platform/outbound/guarded-agents.ts'
import { nameLookup } from '../../platform/outbound/look-up-name.ts'
import { type Message, type Outcome, postEvent } from './post-event.ts'
import { type WebhookLimits, webhookLimits } from './webhook-limits.ts'

export type WebhookSender = {
  rules: DialRules
  limits: WebhookLimits
  /** False where connections to inner networks would not be refused: then nothing is sent. */
  isSafe(): Promise<boolean>
  post(message: Message): Promise<Outcome>
  close(): void
}

/** What posts events, to the public internet and to the networks that the operator allows. */
export function webhookSender(
  log: FastifyBaseLogger,
  allowed: readonly string[] = [],
  limits: WebhookLimits = webhookLimits,
): WebhookSender {
  const rules = dialRules(allowed)
  const agents = guardedAgents(rules)
  const dial = { agents, lookup: nameLookup(allowed.length > 0) }
  let tested: Promise<boolean> | undefined
  return {
    rules,
    limits,
    isSafe() {
      tested ??= selfTest(log, limits)
      return tested
    },
    post: (message) => postEvent(dial, message, limits),
    close: agents.destroy,
  }
}

async function selfTest(log: FastifyBaseLogger, { selfTestAllows }: WebhookLimits): Promise<boolean> {
  const isSafe = await refusesLoopback(dialRules(selfTestAllows)).catch(() => false)
  if (!isSafe) log.error('webhooks are off: connections to inner networks would not be refused')
  return isSafe
}
