import { Command, InvalidArgumentError } from 'commander'
import { type MemberRole, memberRoles } from '../../../access/roles.ts'
import { changeUser, createUser, resetPassword } from '../../../access/users/manage-user.ts'
import { NewUserSchema, type User, UserChangesSchema } from '../../../access/users/user.schema.ts'
import { listUsers, requireUserId } from '../../../access/users/user.sql.ts'
import { checkInput, withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'
import { inviteNewUser, lifecycleCommands } from './user-lifecycle.ts'
import { signInCommands } from './user-sign-in.ts'

type Settings = CommonOptions & { name?: string; operator?: boolean; project?: Membership[] }

type Membership = { project_id: number; role: MemberRole }

const projectHelp = `Project and role: ${memberRoles.join(', ')} (default: manager; repeatable)`

export function userCommand(): Command {
  const create = command('create', 'Create a console account (its password is shown only once)')
    .requiredOption('--email <email>', 'Email address for signing in')
    .option('--name <name>', 'Name of the user')
    .option('--operator', 'Grant operator rights: all projects and the admin area')
    .option('--project <id[:role]>', projectHelp, collectMembership)
    .option('--invite', 'Print an invitation link instead of a password')
    .addHelpText('after', '\nExample:\n  catalog user create --email member@shop.example --project 1:editor')
    .action(async (options: Settings & { email: string; invite?: boolean }) => {
      const input = checkInput(NewUserSchema, { email: options.email, ...settingsOf(options) })
      if (options.invite === true) return print(options, await inviteNewUser(options, input))
      const made = await withDatabase(options, (database) =>
        withPlainErrors(createUser(database, commandLineActor(), input)),
      )
      print(options, shown(options, made))
    })

  const list = command('list', 'List all accounts').action(async (options: CommonOptions) => {
    const page = { number: 1, size: 10_000 }
    const { results } = await withDatabase(options, (database) => listUsers(database, {}, page))
    print(
      options,
      results.map((user) => shown(options, user)),
    )
  })

  const set = command('set', 'Change an account (--project replaces all project memberships)')
    .argument('<user>', 'User ID or email')
    .option('--name <name>', 'Name of the user')
    .option('--operator', 'Grant operator rights')
    .option('--no-operator', 'Revoke operator rights')
    .option('--project <id[:role]>', projectHelp, collectMembership)
    .option('--no-project', 'Remove the user from all projects')
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

  const reset = command('reset-password', 'Set a new password and end all sessions of the account')
    .argument('<user>', 'User ID or email')
    .addHelpText('after', '\nExample:\n  catalog user reset-password member@shop.example')
    .action(async (user: string, options: CommonOptions) => {
      const made = await withDatabase(options, async (database) => {
        const id = await requireUserId(database, user)
        return withPlainErrors(resetPassword(database, commandLineActor(), id))
      })
      print(options, shown(options, made))
    })

  const user = new Command('user').description('Manage console accounts')
  for (const one of [create, list, set, reset, ...lifecycleCommands(), ...signInCommands()])
    user.addCommand(one)
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

/** The table shows project IDs and names; --json prints the full user. */
function shown<Shown extends User>({ json }: CommonOptions, user: Shown): object {
  return json === true
    ? user
    : { ...user, projects: user.projects.map(({ id, name, role }) => `${id} ${name} (${role})`) }
}

/** Parses `7` or `7:editor`. The default role is manager. */
function collectMembership(text: string, before: Membership[] | boolean = []): Membership[] {
  const [id = '', role = 'manager'] = text.split(':')
  if (!(memberRoles as readonly string[]).includes(role))
    throw new InvalidArgumentError(`"${role}" is not a role. Valid roles: ${memberRoles.join(', ')}.`)
  const membership = { project_id: parseId(id), role: role as MemberRole }
  return [...(Array.isArray(before) ? before : []), membership]
}
