import { Command, Option } from 'commander'
import { changeProject, createProject } from '../../access/projects/manage-project.ts'
import { NewProjectSchema } from '../../access/projects/operator-project.schema.ts'
import {
  type MediaAccess,
  mediaAccess,
  type Override,
  overrides,
} from '../../access/projects/project.schema.ts'
import { listProjects, requireProject } from '../../access/projects/project.sql.ts'
import type { Scope } from '../../model/scopes.ts'
import { deleteProject } from '../../operations/erase/delete-project.ts'
import type { Database } from '../../platform/database/database.ts'
import { checkInput, withPlainErrors } from '../../platform/http/body/check-input.ts'
import { escapeControlCharacters } from '../../platform/terminal/escape-control-characters.ts'
import { progressBar } from '../../platform/terminal/progress.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { confirm } from '../confirm.ts'
import { parseScopes } from '../parse-scopes.ts'

type CreateOptions = CommonOptions & { name: string; plan: string; currency: string }
type DeleteOptions = CommonOptions & { name?: string }
type SetOptions = CommonOptions & {
  plan?: string
  apiAccess?: Override
  rateLimit?: string
  selfServiceTokens?: Override
  selfServiceScopes?: Scope[] | 'all'
  media?: MediaAccess
}

export function projectCommand(): Command {
  const create = command('create', 'Create a project')
    .requiredOption('--name <name>', 'Project name')
    .option('--plan <plan>', 'Plan: free, pro or enterprise', 'free')
    .option('--currency <code>', 'Currency of its prices (ISO 4217 code)', 'EUR')
    .addHelpText(
      'after',
      '\nExample:\n  catalog project create --name "Garden shop" --plan pro --currency EUR',
    )
    .action(async (options: CreateOptions) => {
      const { name, plan, currency } = options
      const input = checkInput(NewProjectSchema, { name, plan, currency })
      const made = await withDatabase(options, (database) =>
        withPlainErrors(createProject(database, commandLineActor(), input)),
      )
      print(options, made)
    })

  const list = command('list', 'List all projects').action(async (options: CommonOptions) =>
    print(options, await withDatabase(options, listProjects)),
  )

  const set = command(
    'set',
    "Change a project's plan, API access, rate limit, token settings or media access",
  )
    .argument('<id>', 'Project ID', parseId)
    .option('--plan <plan>', 'Plan: free, pro or enterprise')
    .addOption(
      new Option('--api-access <word>', 'API access; plan uses the default of the plan').choices(overrides),
    )
    .option('--rate-limit <limit>', 'Requests per second, none, or plan')
    .addOption(
      new Option('--self-service-tokens <word>', 'Allow managers to create project tokens').choices(
        overrides,
      ),
    )
    .option(
      '--self-service-scopes <list>',
      'Scopes that managers can grant; all means all except webhooks:manage, ai:run and ai:manage',
      parseSelfServiceScopes,
    )
    .addOption(
      new Option('--media <word>', 'Who can read media files: everyone, or only tokens and members').choices(
        mediaAccess,
      ),
    )
    .addHelpText('after', '\nExample:\n  catalog project set 1 --api-access on --rate-limit 500')
    .action(async (id: number, { selfServiceScopes: scopes, ...options }: SetOptions) => {
      const changes = { ...options, selfServiceScopes: scopes === 'all' ? null : scopes }
      print(
        options,
        await withDatabase(options, (database) =>
          withPlainErrors(changeProject(database, commandLineActor(), id, changes)),
        ),
      )
    })

  const remove = command('delete', 'Permanently delete a project and all its data')
    .argument('<id>', 'Project ID', parseId)
    .option('--name <name>', 'Project name, to confirm without a prompt')
    .addHelpText(
      'after',
      `
The command first disables API access and revokes all tokens. Then it deletes the project's data in batches: products with
their history, categories, prompts, tokens and members. If it is interrupted, run it again. The audit trail stays and shows who
deleted the project.

Example:
  catalog project delete 7 --name "Garden shop"`,
    )
    .action(async (id: number, options: DeleteOptions) =>
      print(options, await withDatabase(options, (database) => askAndDelete(database, id, options))),
    )

  return new Command('project')
    .description('Manage projects, plans and limits')
    .addCommand(create)
    .addCommand(list)
    .addCommand(set)
    .addCommand(remove)
}

// Commander would turn null into an empty text.
function parseSelfServiceScopes(text: string): Scope[] | 'all' {
  return text === 'all' ? text : parseScopes(text)
}

async function askAndDelete(database: Database, id: number, { name }: DeleteOptions): Promise<object> {
  const project = await requireProject(database, id)
  const question = `This permanently deletes project ${id} and all its data. Type its name, ${escapeControlCharacters(project.name)}, to confirm:`
  if (name === undefined) await confirm({ question, expected: project.name, option: '--name' })
  else if (name.trim() !== project.name)
    throw new Error(`the name of project ${id} is "${project.name}", not "${name}"; nothing was deleted`)
  const bar = progressBar('rows')
  try {
    const deleted = await deleteProject(database, commandLineActor(), id, (rows, all) =>
      bar.show(rows, all === 0 ? 1 : rows / all),
    )
    return { id, name: deleted.name, deleted: true }
  } finally {
    bar.end()
  }
}
