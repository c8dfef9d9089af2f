import type { Command } from 'commander'
import { webhookSender } from '../../../delivery/webhooks/webhook-sender.ts'
import type { Database } from '../../../platform/database/database.ts'
import { withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { openLog } from '../../../platform/http/request-log.ts'
import { secretBox } from '../../../platform/secrets/encrypted-secret.ts'
import { type CommonOptions, command, configFrom, parseId, withDatabase } from '../../command.ts'

export type ProjectOptions = CommonOptions & { project: number }
export type ToolOptions = ProjectOptions & { webhookAllow?: string[] }

export const everything = { number: 1, size: 2 ** 31 - 1 }
export const fromHelp =
  'a cursor of the feed, 0 for its beginning, now, or a moment such as 2027-01-31T12:00:00Z'

export function commandOfProject(name: string, description: string): Command {
  return command(name, description).requiredOption('--project <id>', 'id of the project', parseId)
}

export function commandOfWebhook(name: string, description: string): Command {
  return commandOfProject(name, description).argument('<id>', 'id of the webhook', parseId)
}

/** As the service has it, which is another process. */
export function withAllow(one: Command): Command {
  return one.option(
    '--webhook-allow <network>',
    'inner network that webhooks may be in, as for catalog serve; may be repeated',
    (value: string, before: string[] = []) => [...before, value],
  )
}

/** What a process owns that delivers: the keys of secrets, and what dials. */
export function toolsOf(database: Database, options: ToolOptions) {
  const { webhookAllow, webhookKeys } = configFrom(options, { webhookAllow: options.webhookAllow })
  const sender = webhookSender(openLog('silent'), webhookAllow)
  return { box: secretBox(database, webhookKeys), rules: sender.rules, sender }
}

export function withProject<Result>(
  options: ProjectOptions,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return withDatabase(options, (database) => withPlainErrors(work(database)))
}

export function parseTypes(text: string): string[] {
  return text.split(',').map((type) => type.trim())
}
