import { Command, InvalidArgumentError } from 'commander'
import { type MemberRole, memberRoles } from '../../../access/roles.ts'
import { changeUser, createUser, resetPassword } from '../../../access/users/manage-user.ts'
import { NewUserSchema, type User, UserChangesSchema } from '../../../access/users/user.schema.ts'
import { listUsers, requireUserId } from '../../../access/users/user.sql.ts'
import { checkInput, withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'
import { inviteNewUser, leavingCommands } from './user-lifecycle.ts'

type Settings = CommonOptions & { name?: string; operator?: boolean; project?: Membership[] }

type Membership = { project_id: number; role: MemberRole }

const projectHelp = `project that the person belongs to, as ${memberRoles.join(', ')} (default: manager); may be repeated`

export function userCommand(): Command {
  const create = command('create', 'make an account for the console; its password is shown this once')
    .requiredOption('--email <email>', 'what the person signs in with')
    .option('--name <name>', 'name of the person')
    .option('--operator', 'sees every project, and the operator desk')
    .option('--project <id[:role]>', projectHelp, collectMembership)
    .option('--invite', 'print a link by which the person sets a password, in place of a password')
    .addHelpText('after', '\nExample:\n  catalog user create --email member@shop.example --project 1:editor')
    .action(async (options: Settings & { email: string; invite?: boolean }) => {
      const input = checkInput(NewUserSchema, { email: options.email, ...settingsOf(options) })
      if (options.invite === true) return print(options, await inviteNewUser(options, input))
      const made = await withDatabase(options, (database) =>
        withPlainErrors(createUser(database, commandLineActor(), input)),
      )
      print(options, shown(options, made))
    })

  const list = command('list', 'list the accounts').action(async (options: CommonOptions) => {
    const page = { number: 1, size: 10_000 }
    const { results } = await withDatabase(options, (database) => listUsers(database, {}, page))
    print(
      options,
      results.map((user) => shown(options, user)),
    )
  })

  const set = command(
    'set',
    "change an account; what is not named stays, --project replaces the account's projects",
  )
    .argument('<user>', 'id or email of the account')
    .option('--name <name>', 'name of the person')
    .option('--operator', 'make the person an operator')
    .option('--no-operator', 'make the person an operator no more')
    .option('--project <id[:role]>', projectHelp, collectMembership)
    .option('--no-project', 'take the person out of every project')
    .addHelpText('after', '\nExample:\n  catalog user set member@shop.example --project 1:viewer --project 2')
    .action(
      async (
        user: string,
        options: CommonOptions & { name?: string; operator?: boolean; project?: Membership[] | boolean },
      ) => {
        const changes = checkInput(UserChangesSchema, settingsOf(options))
        const changed = await withDatabase(options, async (database) => {
          const id = await requireUserId(database, user)
          return withPlainErrors(changeUser(database, commandLineActor(), id, changes))
        })
        print(options, shown(options, changed))
      },
    )

  const reset = command('reset-password', 'give an account a new password, and end its sessions')
    .argument('<user>', 'id or email of the account')
    .addHelpText('after', '\nExample:\n  catalog user reset-password member@shop.example')
    .action(async (user: string, options: CommonOptions) => {
      const made = await withDatabase(options, async (database) => {
        const id = await requireUserId(database, user)
        return withPlainErrors(resetPassword(database, commandLineActor(), id))
      })
      print(options, shown(options, made))
    })

  const user = new Command('user').description('accounts of the console')
  for (const one of [create, list, set, reset, ...leavingCommands()]) user.addCommand(one)
  return user
}

type GivenSettings = { name?: string; operator?: boolean; project?: Membership[] | boolean }

function settingsOf({ name, operator, project }: GivenSettings) {
  return {
    ...(name !== undefined && { name }),
    ...(operator !== undefined && { operator }),
    ...(Array.isArray(project) && { memberships: project }),
    ...(project === false && { memberships: [] }),
  }
}

/** People see the projects as ids and names; --json has the whole user. */
function shown<Shown extends User>({ json }: CommonOptions, user: Shown): object {
  return json === true
    ? user
    : { ...user, projects: user.projects.map(({ id, name, role }) => `${id} ${name} (${role})`) }
}

/** `7` or `7:editor`; a person who is no member yet becomes a manager where nothing is said. */
function collectMembership(text: string, before: Membership[] | boolean = []): Membership[] {
  const [id = '', role = 'manager'] = text.split(':')
  if (!(memberRoles as readonly string[]).includes(role))
    throw new InvalidArgumentError(`the role is one of ${memberRoles.join(', ')}, not "${role}"`)
  const membership = { project_id: parseId(id), role: role as MemberRole }
  return [...(Array.isArray(before) ? before : []), membership]
}
