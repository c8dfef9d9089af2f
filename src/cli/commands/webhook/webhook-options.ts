import type { Command } from 'commander'
import { webhookSender } from '../../../delivery/webhooks/webhook-sender.ts'
import type { Database } from '../../../platform/database/database.ts'
import { openLog } from '../../../platform/http/request-log.ts'
import { secretCipher } from '../../../platform/secrets/secret-cipher.ts'
import { configFrom, parseId } from '../../command.ts'
import { commandWithProject, type ProjectOptions } from '../../project-command.ts'

export type ToolOptions = ProjectOptions & { webhookAllow?: string[] }

export const fromHelp = 'Event cursor, 0 for the oldest event, now, or a time such as 2027-01-31T12:00:00Z'

export function commandWithWebhook(name: string, description: string): Command {
  return commandWithProject(name, description).argument('<id>', 'Webhook ID', parseId)
}

/** The service is another process, so commands need its setting too. */
export function withAllow(one: Command): Command {
  return one.option(
    '--webhook-allow <network>',
    'Private network that webhooks may connect to, as for catalog serve (repeatable)',
    (value: string, before: string[] = []) => [...before, value],
  )
}

/** What delivery needs: the encryption keys for secrets and the HTTP sender. */
export function deliveryTools(database: Database, options: ToolOptions) {
  const { webhookAllow, webhookKeys } = configFrom(options, { webhookAllow: options.webhookAllow })
  const sender = webhookSender(openLog('silent'), webhookAllow)
  return { cipher: secretCipher(database, webhookKeys), rules: sender.rules, sender }
}

export function parseTypes(text: string): string[] {
  return text.split(',').map((type) => type.trim())
}
