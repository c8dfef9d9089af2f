import { Argument, type Command } from 'commander'
import { linkUser, unlinkUser } from '../../../access/company-accounts/link-company.ts'
import { memberRoles, type Role } from '../../../access/roles.ts'
import {
  requireSecondFactor,
  resetSecondFactor,
} from '../../../access/second-factors/manage-second-factor.ts'
import { listRequiredRoles } from '../../../access/second-factors/second-factor.sql.ts'
import { requireUserId } from '../../../access/users/user.sql.ts'
import { withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { type CommonOptions, command, configFrom, print, withDatabase } from '../../command.ts'
import { commandLineActor } from '../../command-line-actor.ts'

/** How users sign in. */
export function signInCommands(): Command[] {
  return [resetFactor(), requireFactor(), link(), unlink()]
}

function resetFactor(): Command {
  return command('reset-second-factor', 'Remove the second factors of an account and end all its sessions')
    .argument('<user>', 'User ID or email')
    .addHelpText(
      'after',
      `
For users who lost their devices and their recovery codes. First verify that the request comes from the user: afterward, the password alone is enough.

Example:
  catalog user reset-second-factor member@shop.example`,
    )
    .action(async (user: string, options: CommonOptions) => {
      const reset = await withDatabase(options, async (database) =>
        withPlainErrors(resetSecondFactor(database, commandLineActor(), await requireUserId(database, user))),
      )
      const { id, email } = reset.user
      print(options, { id, email, removed: reset.factors })
    })
}

function requireFactor(): Command {
  const roles = new Argument('[roles...]', 'Roles, or "none"').choices([...memberRoles, 'operator', 'none'])
  return command('require-second-factor', 'Show or set the roles that require a second factor')
    .addArgument(roles)
    .addHelpText(
      'after',
      `
Takes effect with the next request of all open sessions. Without roles, the command shows the current ones.

Examples:
  catalog user require-second-factor operator manager
  catalog user require-second-factor none`,
    )
    .action(async (given: (Role | 'none')[], options: CommonOptions) => {
      const next = given.filter((role) => role !== 'none')
      const required = await withDatabase(options, async (database) =>
        given.length === 0
          ? { roles: await listRequiredRoles(database) }
          : requireSecondFactor(database, commandLineActor(), next),
      )
      print(options, required)
    })
}

type LinkOptions = CommonOptions & { subject?: string }

function link(): Command {
  return command('link', 'Link a user to a company account')
    .argument('<user>', 'User ID or email')
    .option('--subject <id>', 'ID of the user at the provider (default: the next sign-in with this email)')
    .addHelpText(
      'after',
      `
Requires CATALOG_OIDC_ISSUER. Without --subject, the next sign-in with the verified email within seven days links the account.

Example:
  catalog user link member@shop.example`,
    )
    .action(async (user: string, options: LinkOptions) => {
      const { oidcIssuer: issuer } = configFrom(options)
      if (issuer === undefined) throw new Error('no provider is configured; set CATALOG_OIDC_ISSUER')
      const { subject } = options
      const { id, email, company_account } = await withDatabase(options, async (database) => {
        const known = await requireUserId(database, user)
        return withPlainErrors(linkUser(database, commandLineActor(), known, { issuer, subject }))
      })
      print(options, { id, email, company_account })
    })
}

function unlink(): Command {
  return command('unlink', 'Unlink the company account of a user')
    .argument('<user>', 'User ID or email')
    .action(async (user: string, options: CommonOptions) => {
      const { id, email, company_account } = await withDatabase(options, async (database) => {
        const known = await requireUserId(database, user)
        return withPlainErrors(unlinkUser(database, commandLineActor(), known))
      })
      print(options, { id, email, company_account })
    })
}
