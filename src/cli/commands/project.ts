import { Command, Option } from 'commander'
import { changeProject, createProject } from '../../access/projects/manage-project.ts'
import { NewProjectSchema } from '../../access/projects/operator-project.schema.ts'
import { type Override, overrides } from '../../access/projects/project.schema.ts'
import { listProjects, requireProject } from '../../access/projects/project.sql.ts'
import type { Scope } from '../../model/scopes.ts'
import { deleteProject } from '../../operations/erase/delete-project.ts'
import type { Database } from '../../platform/database/database.ts'
import { checkInput, withPlainErrors } from '../../platform/http/body/check-input.ts'
import { visible } from '../../platform/terminal/escape-control-characters.ts'
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
  selfServiceScopes?: Scope[] | null
}

export function projectCommand(): Command {
  const create = command('create', 'make a project')
    .requiredOption('--name <name>', 'name of the project')
    .option('--plan <plan>', 'free, pro or enterprise', 'free')
    .option('--currency <code>', 'ISO 4217 code of its prices', 'EUR')
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

  const list = command('list', 'list the projects').action(async (options: CommonOptions) =>
    print(options, await withDatabase(options, listProjects)),
  )

  const set = command('set', "change a project's plan, access or limit; what is not named stays")
    .argument('<id>', 'id of the project', parseId)
    .option('--plan <plan>', 'free, pro or enterprise')
    .addOption(
      new Option('--api-access <word>', "the operator's override; plan leaves it to the plan").choices(
        overrides,
      ),
    )
    .option('--rate-limit <limit>', 'requests a second, none, or plan')
    .addOption(
      new Option(
        '--self-service-tokens <word>',
        'whether managers make tokens of the project themselves',
      ).choices(overrides),
    )
    .option(
      '--self-service-scopes <list>',
      'scopes that such tokens may have; all means all but webhooks:manage',
      parseSelfServiceScopes,
    )
    .addHelpText('after', '\nExample:\n  catalog project set 1 --api-access on --rate-limit 500')
    .action(async (id: number, options: SetOptions) =>
      print(
        options,
        await withDatabase(options, (database) =>
          withPlainErrors(changeProject(database, commandLineActor(), id, options)),
        ),
      ),
    )

  const remove = command('delete', 'delete a project with all that it has, for good')
    .argument('<id>', 'id of the project', parseId)
    .option('--name <name>', 'the name of the project, in place of typing it when asked')
    .addHelpText(
      'after',
      `
API access is closed first, and every token revoked. Then all of the project goes in batches: products with their history, categories,
prompts, tokens, members. A deletion that was interrupted is finished by the same command. The audit trail stays, and tells who
deleted the project.

Example:
  catalog project delete 7 --name "Garden shop"`,
    )
    .action(async (id: number, options: DeleteOptions) =>
      print(options, await withDatabase(options, (database) => askAndDelete(database, id, options))),
    )

  return new Command('project')
    .description('projects, their plans and limits')
    .addCommand(create)
    .addCommand(list)
    .addCommand(set)
    .addCommand(remove)
}

function parseSelfServiceScopes(text: string): Scope[] | null {
  return text === 'all' ? null : parseScopes(text)
}

async function askAndDelete(database: Database, id: number, { name }: DeleteOptions): Promise<object> {
  const project = await requireProject(database, id)
  const question = `This deletes project ${id} with all that it has, for good. Type its name, ${visible(project.name)}:`
  if (name === undefined) await confirm({ question, expected: project.name, option: '--name' })
  else if (name.trim() !== project.name)
    throw new Error(`project ${id} is called "${project.name}", not "${name}"; nothing was deleted`)
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
