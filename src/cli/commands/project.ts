import { Command, Option } from 'commander'
import { changeProject, createProject } from '../../projects/manage-project.ts'
import { NewProjectSchema } from '../../projects/operator-project.schema.ts'
import { type ApiAccess, apiAccessOverrides } from '../../projects/project.schema.ts'
import { listProjects } from '../../projects/project.sql.ts'
import { checkInput, withPlainErrors } from '../check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'

type CreateOptions = CommonOptions & { name: string; plan: string; currency: string }
type SetOptions = CommonOptions & { plan?: string; apiAccess?: ApiAccess; rateLimit?: string }

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
        apiAccessOverrides,
      ),
    )
    .option('--rate-limit <limit>', 'requests a second, none, or plan')
    .addHelpText('after', '\nExample:\n  catalog project set 1 --api-access on --rate-limit 500')
    .action(async (id: number, options: SetOptions) =>
      print(
        options,
        await withDatabase(options, (database) =>
          withPlainErrors(changeProject(database, commandLineActor(), id, options)),
        ),
      ),
    )

  return new Command('project')
    .description('projects, their plans and limits')
    .addCommand(create)
    .addCommand(list)
    .addCommand(set)
}
