import type { Command } from 'commander'
import { createInvitedUser, invitationPath, inviteUser } from '../../../access/users/invite-user.ts'
import { deleteUser, disableUser, enableUser, endSessions } from '../../../access/users/leave.ts'
import type { NewUser, User } from '../../../access/users/user.schema.ts'
import { findUser, requireUserId } from '../../../access/users/user.sql.ts'
import { withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { type CommonOptions, command, configFrom, print, withDatabase } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'
import { confirm } from '../../confirm.ts'

const userArgument = ['<user>', 'id or email of the account'] as const

/** Commands for those who come by a link, and for those who go. */
export function leavingCommands(): Command[] {
  return [invite(), disable(), enable(), end(), remove()]
}

/** The address of the link is the one that is configured, or the one under which a service on this machine is reached. */
export async function inviteNewUser(options: CommonOptions, input: NewUser): Promise<object> {
  return withDatabase(options, async (database) => {
    const made = await withPlainErrors(createInvitedUser(database, commandLineActor(), input))
    return linkOf(options, made)
  })
}

function linkOf(options: CommonOptions, { id, email, secret, expires_at }: Made): object {
  const { baseUrl, port } = configFrom(options)
  return {
    id,
    email,
    link: `${baseUrl ?? `http://localhost:${port}`}${invitationPath(secret)}`,
    expires_at,
  }
}

type Made = User & { secret: string; expires_at: string }

function invite(): Command {
  return command('invite', 'make a link by which the person sets a password; it is shown this once')
    .argument(...userArgument)
    .addHelpText(
      'after',
      `
The link is for one use within seven days, and replaces the link before. A password that the account has stays until then.

Example:
  catalog user invite member@shop.example`,
    )
    .action(async (user: string, options: CommonOptions) => {
      const made = await withDatabase(options, async (database) => {
        const id = await requireUserId(database, user)
        return withPlainErrors(inviteUser(database, commandLineActor(), id))
      })
      print(options, linkOf(options, made))
    })
}

function disable(): Command {
  return command('disable', 'end all sessions of an account, and let it sign in no more')
    .argument(...userArgument)
    .action(async (user: string, options: CommonOptions) => {
      const { id, email, disabled_at } = await withDatabase(options, async (database) =>
        withPlainErrors(disableUser(database, commandLineActor(), await requireUserId(database, user))),
      )
      print(options, { id, email, disabled_at })
    })
}

function enable(): Command {
  return command('enable', 'let an account that was disabled sign in again')
    .argument(...userArgument)
    .action(async (user: string, options: CommonOptions) => {
      const { id, email, disabled_at } = await withDatabase(options, async (database) =>
        withPlainErrors(enableUser(database, commandLineActor(), await requireUserId(database, user))),
      )
      print(options, { id, email, disabled_at })
    })
}

function end(): Command {
  return command('end-sessions', 'sign an account out everywhere')
    .argument(...userArgument)
    .action(async (user: string, options: CommonOptions) => {
      const ended = await withDatabase(options, async (database) =>
        withPlainErrors(endSessions(database, commandLineActor(), await requireUserId(database, user))),
      )
      print(options, ended)
    })
}

type DeleteOptions = CommonOptions & { email?: string }

function remove(): Command {
  return command('delete', 'delete an account, for good; history and audit trail keep its email')
    .argument(...userArgument)
    .option('--email <email>', 'the email of the account, in place of typing it when asked')
    .addHelpText('after', '\nExample:\n  catalog user delete 7 --email member@shop.example')
    .action(async (user: string, options: DeleteOptions) => {
      const { id, email } = await withDatabase(options, async (database) => {
        const known = await findUser(database, await requireUserId(database, user))
        await confirmEmail(known?.email ?? '', options.email)
        return withPlainErrors(deleteUser(database, commandLineActor(), known?.id ?? 0))
      })
      print(options, { id, email, deleted: true })
    })
}

async function confirmEmail(expected: string, given: string | undefined): Promise<void> {
  const question = `This deletes the account of ${expected}, for good. Type its email:`
  if (given === undefined) await confirm({ question, expected, option: '--email' })
  else if (given.trim().toLowerCase() !== expected)
    throw new Error(`the email of the account is "${expected}", not "${given}"; nothing was deleted`)
}
