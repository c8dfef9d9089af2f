import type { Command } from 'commander'
import { retryParked } from '../../../delivery/webhooks/retry-parked.ts'
import { requireWebhook } from '../../../delivery/webhooks/webhook.sql.ts'
import { listAttempts, listParked } from '../../../delivery/webhooks/webhook-log.sql.ts'
import { limitUpTo, parseId, print } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'
import { commandOfWebhook, everything, type ProjectOptions, withProject } from './webhook-options.ts'

/** A page of the attempts, as of the API; there are up to 10,000. */
const mostShown = 500
const usuallyShown = 20

type AttemptsOptions = ProjectOptions & { failed?: boolean; limit: number }

export function attemptsCommand(): Command {
  return commandOfWebhook('attempts', 'the last tries to deliver events, the newest first')
    .option('--failed', 'only those that failed')
    .option('--limit <count>', `how many, up to ${mostShown}`, limitUpTo(mostShown), usuallyShown)
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
  return commandOfWebhook('parked', 'events that were given up')
    .addHelpText('after', '\nExample:\n  catalog webhook parked 3 --project 1')
    .action(async (id: number, options: ProjectOptions) => {
      const { results } = await withProject(options, async (database) => {
        await requireWebhook(database, options.project, id)
        return listParked(database, options.project, id, everything)
      })
      print(options, results)
    })
}

export function retryCommand(): Command {
  return commandOfWebhook('retry', 'try parked events again, once each; the running service delivers them')
    .option('--ids <list>', 'only these, such as 1,2', parseIds)
    .addHelpText('after', '\nExample:\n  catalog webhook retry 3 --project 1')
    .action(async (id: number, options: ProjectOptions & { ids?: number[] }) => {
      const caller = { project_id: options.project, token_name: commandLineActor().name }
      print(options, await withProject(options, (database) => retryParked(database, caller, id, options.ids)))
    })
}

function parseIds(text: string): number[] {
  return text.split(',').map((id) => parseId(id.trim()))
}
