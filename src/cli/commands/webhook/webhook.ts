import { Command } from 'commander'
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
import { overlapOption } from '../../overlap-option.ts'
import { allRows, commandWithProject, type ProjectOptions, withProject } from '../../project-command.ts'
import { attemptsCommand, parkedCommand, retryCommand } from './webhook-log.ts'
import {
  commandWithWebhook,
  deliveryTools,
  fromHelp,
  parseTypes,
  type ToolOptions,
  withAllow,
} from './webhook-options.ts'

type AddressOptions = ToolOptions & { url?: string; types?: string[] }

export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('Manage webhooks')
  const managing = [listCommand(), createCommand(), showCommand(), setCommand(), deleteCommand()]
  const running = [testCommand(), rotateCommand(), replayCommand(), disableCommand(), enableCommand()]
  const log = [attemptsCommand(), parkedCommand(), retryCommand()]
  for (const one of [...managing, ...running, ...log]) webhook.addCommand(one)
  return webhook
}

function listCommand(): Command {
  return commandWithProject('list', 'List webhooks and their state')
    .addHelpText('after', '\nExample:\n  catalog webhook list --project 1')
    .action(async (options: ProjectOptions) => {
      const { results } = await withProject(options, (database) =>
        listWebhooks(database, options.project, allRows),
      )
      print(options, options.json === true ? results : results.map(toTableRow))
    })
}

function createCommand(): Command {
  return withAllow(commandWithProject('create', 'Create a webhook (its secret is shown only once)'))
    .requiredOption('--url <url>', 'HTTPS URL of the receiver')
    .option(
      '--types <list>',
      'Comma-separated event types such as product.*,category.created (default: all)',
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
      const created = await withProject(options, (database) =>
        createWebhook(database, deliveryTools(database, options), creatorOf(project), input),
      )
      print(options, created)
    })
}

function showCommand(): Command {
  return commandWithWebhook('show', 'Show a webhook and its state')
    .addHelpText('after', '\nExample:\n  catalog webhook show 3 --project 1')
    .action(async (id: number, options: ProjectOptions) =>
      print(options, await withProject(options, (database) => requireWebhook(database, options.project, id))),
    )
}

function setCommand(): Command {
  return withAllow(commandWithWebhook('set', 'Change the URL or event types of a webhook'))
    .option('--url <url>', 'HTTPS URL of the receiver')
    .option('--types <list>', 'Comma-separated event types, or all', parseTypes)
    .addHelpText('after', '\nExample:\n  catalog webhook set 3 --project 1 --types product.*')
    .action(async (id: number, options: AddressOptions) => {
      const { project, url, types } = options
      if ((url ?? types) === undefined) throw new Error('use --url or --types to change the webhook')
      const input = checkInput<WebhookPatch>(WebhookPatchSchema, {
        ...(url !== undefined && { url }),
        ...(types && { types: types.join() === 'all' ? null : types }),
      })
      const changed = await withProject(options, (database) =>
        changeWebhook(database, deliveryTools(database, options), creatorOf(project), id, input),
      )
      print(options, changed)
    })
}

function deleteCommand(): Command {
  return commandWithWebhook('delete', 'Delete a webhook with its delivery attempts and failed deliveries')
    .addHelpText('after', '\nExample:\n  catalog webhook delete 3 --project 1')
    .action(async (id: number, options: ProjectOptions) => {
      await withProject(options, (database) =>
        deleteWebhook(database, commandLineActor(), options.project, id),
      )
      print(options, { id, deleted: true })
    })
}

function testCommand(): Command {
  return withAllow(commandWithWebhook('test', 'Send a test event and show the response'))
    .addHelpText('after', '\nThe exit code is 1 if the response is not 2xx.')
    .addHelpText('after', '\nExample:\n  catalog webhook test 3 --project 1')
    .action(async (id: number, options: ToolOptions) => {
      const tested = await withProject(options, async (database) => {
        const { cipher, sender } = deliveryTools(database, options)
        const { name } = commandLineActor()
        return testWebhook(database, { cipher, sender }, options.project, id, name).finally(sender.close)
      })
      print(options, tested)
      if (!tested.delivered) process.exitCode = 1
    })
}

function rotateCommand(): Command {
  return commandWithWebhook('rotate', 'Create a new secret; events carry both signatures during the overlap')
    .addOption(overlapOption('How long the old secret stays valid'))
    .addHelpText('after', '\nExample:\n  catalog webhook rotate 3 --project 1 --overlap 1h')
    .action(async (id: number, options: ToolOptions & { overlap: number }) => {
      const { project, overlap } = options
      const rotated = await withProject(options, (database) =>
        rotateWebhook(database, deliveryTools(database, options), commandLineActor(), project, id, overlap),
      )
      print(options, rotated)
    })
}

function replayCommand(): Command {
  return commandWithWebhook('replay', 'Deliver events again, in order and with the same IDs')
    .requiredOption('--from <place>', fromHelp)
    .option('--to <cursor>', 'Cursor of the last event (default: the latest)')
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
  return commandWithWebhook(
    'disable',
    'Pause deliveries until the webhook is enabled again (no event is lost)',
  )
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
  return commandWithWebhook('enable', 'Resume deliveries of a disabled webhook')
    .option('--from <place>', `${fromHelp} (default: where deliveries stopped)`)
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

/** Access to the database implies all scopes. */
function creatorOf(projectId: number) {
  return { projectId, actor: commandLineActor(), scopes }
}

/** A table row. */
function toTableRow(webhook: Webhook): object {
  const { id, url, types, state, lag_seconds, parked, last_success_at, last_error } = webhook
  return { id, url, types: types ?? 'all', state, lag_seconds, parked, last_success_at, last_error }
}
