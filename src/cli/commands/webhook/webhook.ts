import { Command } from 'commander'
import { tokenLimits } from '../../../access/limits.ts'
import { requireProject } from '../../../access/projects/project.sql.ts'
import { disableByHand } from '../../../delivery/webhooks/disable-webhook.ts'
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  enableWebhook,
  rotateWebhook,
} from '../../../delivery/webhooks/manage-webhook.ts'
import { replayWebhook } from '../../../delivery/webhooks/replay-webhook.ts'
import { testWebhook } from '../../../delivery/webhooks/test-webhook.ts'
import {
  type Webhook,
  type WebhookCreate,
  WebhookCreateSchema,
  type WebhookPatch,
  WebhookPatchSchema,
} from '../../../delivery/webhooks/webhook.schema.ts'
import { listWebhooks, requireWebhook } from '../../../delivery/webhooks/webhook.sql.ts'
import { scopes } from '../../../model/scopes.ts'
import { checkInput } from '../../../platform/http/body/check-input.ts'
import { print } from '../../command.ts'
import { commandLineActor, commandLineAuthor } from '../../command-line-actor.ts'
import { parseDuration } from '../../parse-duration.ts'
import { attemptsCommand, parkedCommand, retryCommand } from './webhook-log.ts'
import {
  commandOfProject,
  commandOfWebhook,
  everything,
  fromHelp,
  type ProjectOptions,
  parseTypes,
  type ToolOptions,
  toolsOf,
  withAllow,
  withProject,
} from './webhook-options.ts'

type AddressOptions = ToolOptions & { url?: string; types?: string[] }

export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('addresses that the changes of a project are posted to')
  const managing = [listCommand(), createCommand(), showCommand(), setCommand(), deleteCommand()]
  const running = [testCommand(), rotateCommand(), replayCommand(), disableCommand(), enableCommand()]
  const looking = [attemptsCommand(), parkedCommand(), retryCommand()]
  for (const one of [...managing, ...running, ...looking]) webhook.addCommand(one)
  return webhook
}

function listCommand(): Command {
  return commandOfProject('list', 'list the webhooks of a project, and how each of them is')
    .addHelpText('after', '\nExample:\n  catalog webhook list --project 1')
    .action(async (options: ProjectOptions) => {
      const { results } = await withProject(options, async (database) => {
        await requireProject(database, options.project)
        return listWebhooks(database, options.project, everything)
      })
      print(options, options.json === true ? results : results.map(briefly))
    })
}

function createCommand(): Command {
  return withAllow(
    commandOfProject('create', 'have events posted to an address; the secret is shown this once'),
  )
    .requiredOption('--url <url>', 'https address of the receiver')
    .option(
      '--types <list>',
      'comma list of types such as product.*,category.created (default: all)',
      parseTypes,
    )
    .option('--from <place>', `${fromHelp} (default: now)`)
    .addHelpText(
      'after',
      `
Examples:
  catalog webhook create --project 1 --url https://shop.example/catalog-events
  catalog webhook create --project 1 --url https://shop.example/stock --types product.stock_changed --from 0`,
    )
    .action(async (options: AddressOptions & { url: string; from?: string }) => {
      const { project, url, types, from } = options
      const input = checkInput<WebhookCreate>(WebhookCreateSchema, {
        url,
        ...(types && { types }),
        ...(from !== undefined && { from }),
      })
      const made = await withProject(options, async (database) => {
        await requireProject(database, project)
        return createWebhook(database, toolsOf(database, options), makerOf(project), input)
      })
      print(options, made)
    })
}

function showCommand(): Command {
  return commandOfWebhook('show', 'show a webhook, and how it is')
    .addHelpText('after', '\nExample:\n  catalog webhook show 3 --project 1')
    .action(async (id: number, options: ProjectOptions) =>
      print(options, await withProject(options, (database) => requireWebhook(database, options.project, id))),
    )
}

function setCommand(): Command {
  return withAllow(commandOfWebhook('set', 'change the address or the types of a webhook'))
    .option('--url <url>', 'https address of the receiver')
    .option('--types <list>', 'comma list of types; all for all of them', parseTypes)
    .addHelpText('after', '\nExample:\n  catalog webhook set 3 --project 1 --types product.*')
    .action(async (id: number, options: AddressOptions) => {
      const { project, url, types } = options
      if ((url ?? types) === undefined) throw new Error('give --url or --types')
      const input = checkInput<WebhookPatch>(WebhookPatchSchema, {
        ...(url !== undefined && { url }),
        ...(types && { types: types.join() === 'all' ? null : types }),
      })
      const changed = await withProject(options, (database) =>
        changeWebhook(database, toolsOf(database, options), makerOf(project), id, input),
      )
      print(options, changed)
    })
}

function deleteCommand(): Command {
  return commandOfWebhook('delete', 'delete a webhook with its attempts and parked events')
    .addHelpText('after', '\nExample:\n  catalog webhook delete 3 --project 1')
    .action(async (id: number, options: ProjectOptions) => {
      await withProject(options, (database) =>
        deleteWebhook(database, commandLineActor(), options.project, id),
      )
      print(options, { id, deleted: true })
    })
}

function testCommand(): Command {
  return withAllow(commandOfWebhook('test', 'post a test event now, and see what the receiver answers'))
    .addHelpText('after', '\nThe exit code is 1 where the answer was not 2xx.')
    .addHelpText('after', '\nExample:\n  catalog webhook test 3 --project 1')
    .action(async (id: number, options: ToolOptions) => {
      const tested = await withProject(options, async (database) => {
        const { box, sender } = toolsOf(database, options)
        const { name } = commandLineActor()
        return testWebhook(database, { box, sender }, options.project, id, name).finally(sender.close)
      })
      print(options, tested)
      if (!tested.delivered) process.exitCode = 1
    })
}

function rotateCommand(): Command {
  return commandOfWebhook('rotate', 'make a new secret; the old one signs too for the overlap')
    .option('--overlap <time>', 'such as 30m, 24h or 7d', parseDuration, tokenLimits.overlapSeconds)
    .addHelpText('after', '\nExample:\n  catalog webhook rotate 3 --project 1 --overlap 1h')
    .action(async (id: number, options: ToolOptions & { overlap: number }) => {
      const { project, overlap } = options
      const rotated = await withProject(options, (database) =>
        rotateWebhook(database, toolsOf(database, options), commandLineActor(), project, id, overlap),
      )
      print(options, rotated)
    })
}

function replayCommand(): Command {
  return commandOfWebhook('replay', 'deliver events again, with the same ids and in order')
    .requiredOption('--from <place>', fromHelp)
    .option('--to <cursor>', 'the last event (default: all there are)')
    .addHelpText(
      'after',
      `
Examples:
  catalog webhook replay 3 --project 1 --from 2027-01-31T12:00:00Z
  catalog webhook replay 3 --project 1 --from 0`,
    )
    .action(async (id: number, options: ProjectOptions & { from: string; to?: string }) => {
      const { project, from, to } = options
      const place = { from, ...(to !== undefined && { to }) }
      const replayed = await withProject(options, (database) =>
        replayWebhook(database, commandLineActor(), project, id, place),
      )
      print(options, replayed)
    })
}

function disableCommand(): Command {
  return commandOfWebhook('disable', 'deliver nothing until the webhook is enabled again; nothing is lost')
    .addHelpText('after', '\nExample:\n  catalog webhook disable 3 --project 1')
    .action(async (id: number, options: ProjectOptions) =>
      print(
        options,
        await withProject(options, (database) =>
          disableByHand(database, commandLineAuthor(), options.project, id),
        ),
      ),
    )
}

function enableCommand(): Command {
  return commandOfWebhook('enable', 'deliver again to a webhook that is disabled')
    .option('--from <place>', `${fromHelp} (default: where it stopped)`)
    .addHelpText('after', '\nExample:\n  catalog webhook enable 3 --project 1')
    .action(async (id: number, options: ProjectOptions & { from?: string }) =>
      print(
        options,
        await withProject(options, (database) =>
          enableWebhook(database, commandLineActor(), options.project, id, options.from),
        ),
      ),
    )
}

/** Whoever has the database may read all of it. */
function makerOf(projectId: number) {
  return { projectId, actor: commandLineActor(), scopes }
}

/** In a row of a table. */
function briefly(webhook: Webhook): object {
  const { id, url, types, state, lag_seconds, parked, last_success_at, last_error } = webhook
  return { id, url, types: types ?? 'all', state, lag_seconds, parked, last_success_at, last_error }
}
