import type { Command } from 'commander'
import { requestRetries } from '../../../delivery/webhooks/request-retries.ts'
import { requireWebhook } from '../../../delivery/webhooks/webhook.sql.ts'
import { listAttempts, listFailedDeliveries } from '../../../delivery/webhooks/webhook-log.sql.ts'
import { limitUpTo, parseId, print } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'
import { commandLimits } from '../../limits.ts'
import { allRows, type ProjectOptions, withProject } from '../../project-command.ts'
import { commandWithWebhook } from './webhook-options.ts'

/** One page, as in the API. A webhook has up to 10,000 attempts. */
const { rows: maxLimit, attemptRowsByDefault: defaultLimit } = commandLimits

type AttemptsOptions = ProjectOptions & { failed?: boolean; limit: number }

export function attemptsCommand(): Command {
  return commandWithWebhook('attempts', 'List delivery attempts, newest first')
    .option('--failed', 'Only failed attempts')
    .option('--limit <count>', `Number of attempts, up to ${maxLimit}`, limitUpTo(maxLimit), defaultLimit)
    .addHelpText('after', '\nExample:\n  catalog webhook attempts 3 --project 1 --failed')
    .action(async (id: number, options: AttemptsOptions) => {
      const { project, failed, limit } = options
      const { results } = await withProject(options, async (database) => {
        await requireWebhook(database, project, id)
        return listAttempts(database, project, id, failed, { number: 1, size: limit })
      })
      print(options, results)
    })
}

export function parkedCommand(): Command {
  return commandWithWebhook('parked', 'List failed deliveries')
    .addHelpText('after', '\nExample:\n  catalog webhook parked 3 --project 1')
    .action(async (id: number, options: ProjectOptions) => {
      const { results } = await withProject(options, async (database) => {
        await requireWebhook(database, options.project, id)
        return listFailedDeliveries(database, options.project, id, allRows)
      })
      print(options, results)
    })
}

export function retryCommand(): Command {
  return commandWithWebhook('retry', 'Retry failed deliveries once; the running service delivers them')
    .option('--ids <list>', 'Only these failed deliveries, such as 1,2', parseIds)
    .addHelpText('after', '\nExample:\n  catalog webhook retry 3 --project 1')
    .action(async (id: number, options: ProjectOptions & { ids?: number[] }) => {
      const caller = { project_id: options.project, token_name: commandLineActor().name }
      print(
        options,
        await withProject(options, (database) => requestRetries(database, caller, id, options.ids)),
      )
    })
}

function parseIds(text: string): number[] {
  return text.split(',').map((id) => parseId(id.trim()))
}
