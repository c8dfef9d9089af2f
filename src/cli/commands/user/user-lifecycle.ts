import type { Command } from 'commander'
import { deleteUser, disableUser, enableUser, endSessions } from '../../../access/users/end-access.ts'
import { createInvitedUser, invitationPath, inviteUser } from '../../../access/users/invite-user.ts'
import type { NewUser, User } from '../../../access/users/user.schema.ts'
import { findUser, requireUserId } from '../../../access/users/user.sql.ts'
import { withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { type CommonOptions, command, configFrom, print, withDatabase } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'
import { confirm } from '../../confirm.ts'

const userArgument = ['<user>', 'User ID or email'] as const

/** Invite, disable, enable, sign out and delete accounts. */
export function lifecycleCommands(): Command[] {
  return [invite(), disable(), enable(), end(), remove()]
}

/** The link uses the configured base URL, or localhost without one. */
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
  return command('invite', 'Create an invitation link to set a password (shown only once)')
    .argument(...userArgument)
    .addHelpText(
      'after',
      `
The link works once and expires after seven days. It replaces earlier links. Until then, an existing password stays valid.

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
  return command('disable', 'Disable an account and end all its sessions')
    .argument(...userArgument)
    .action(async (user: string, options: CommonOptions) => {
      const { id, email, disabled_at } = await withDatabase(options, async (database) =>
        withPlainErrors(disableUser(database, commandLineActor(), await requireUserId(database, user))),
      )
      print(options, { id, email, disabled_at })
    })
}

function enable(): Command {
  return command('enable', 'Enable a disabled account')
    .argument(...userArgument)
    .action(async (user: string, options: CommonOptions) => {
      const { id, email, disabled_at } = await withDatabase(options, async (database) =>
        withPlainErrors(enableUser(database, commandLineActor(), await requireUserId(database, user))),
      )
      print(options, { id, email, disabled_at })
    })
}

function end(): Command {
  return command('end-sessions', 'End all sessions of an account')
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
  return command('delete', 'Permanently delete an account (history and audit trail retain its email)')
    .argument(...userArgument)
    .option('--email <email>', 'Email of the account, to confirm without a prompt')
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
  const question = `This permanently deletes the account of ${expected}. Type its email to confirm:`
  if (given === undefined) await confirm({ question, expected, option: '--email' })
  else if (given.trim().toLowerCase() !== expected)
    throw new Error(`the email of the account is "${expected}", not "${given}"; nothing was deleted`)
}
