import { Command, InvalidArgumentError } from 'commander'
import { requireProject } from '../../access/projects/project.sql.ts'
import { issueToken, revokeToken, rotateToken } from '../../access/tokens/manage-token.ts'
import { NewTokenSchema } from '../../access/tokens/token.schema.ts'
import { defaultTokenName, listTokens } from '../../access/tokens/token.sql.ts'
import { type Scope, scopes } from '../../model/scopes.ts'
import { checkInput } from '../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { overlapOption } from '../overlap-option.ts'
import { parseScopes } from '../parse-scopes.ts'

type CreateOptions = CommonOptions & { project: number; name?: string; scopes?: Scope[]; expires?: string }

export function tokenCommand(): Command {
  const create = command('create', 'Create a token (shown only once)')
    .requiredOption('--project <id>', 'Project ID', parseId)
    .option('--name <name>', 'Name of the application that uses the token')
    .option(
      '--scopes <list>',
      `Comma-separated scopes: ${scopes.join(', ')} (default: all except ai:run and ai:manage)`,
      parseScopes,
    )
    .option('--expires <time>', 'Expiration time in ISO 8601 format (default: never)', parseTime)
    .addHelpText(
      'after',
      '\nExample:\n  catalog token create --project 1 --name "Web shop" --scopes products:read',
    )
    .action(async (options: CreateOptions) => {
      const { name = defaultTokenName, scopes: wanted, expires = null } = options
      const input = checkInput(NewTokenSchema, {
        name,
        expires_at: expires,
        ...(wanted && { scopes: wanted }),
      })
      const { expires_at: expiresAt, ...request } = input
      const issued = await withDatabase(options, (database) =>
        issueToken(database, commandLineActor(), options.project, { ...request, expiresAt }),
      )
      print(options, issued)
    })

  const list = command('list', 'List the tokens of a project')
    .requiredOption('--project <id>', 'Project ID', parseId)
    .action(async (options: CommonOptions & { project: number }) => {
      const tokens = await withDatabase(options, async (database) => {
        await requireProject(database, options.project)
        return listTokens(database, options.project)
      })
      print(options, tokens)
    })

  const revoke = command('revoke', 'Revoke a token immediately')
    .argument('<id>', 'Token ID', parseId)
    .action(async (id: number, options: CommonOptions) => {
      print(options, await withDatabase(options, (database) => revokeToken(database, commandLineActor(), id)))
    })

  const rotate = command('rotate', 'Replace a token; the old one stays valid during the overlap')
    .argument('<id>', 'Token ID', parseId)
    .addOption(overlapOption('How long the old token stays valid'))
    .addHelpText('after', '\nExample:\n  catalog token rotate 3 --overlap 1h')
    .action(async (id: number, options: CommonOptions & { overlap: number }) =>
      print(
        options,
        await withDatabase(options, (database) =>
          rotateToken(database, commandLineActor(), id, options.overlap),
        ),
      ),
    )

  const token = new Command('token').description('Manage API tokens')
  for (const one of [create, list, revoke, rotate]) token.addCommand(one)
  return token
}

function parseTime(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('Use a time such as 2027-01-31 or 2027-01-31T12:00:00Z.')
  if (time.getTime() <= Date.now()) throw new InvalidArgumentError('The time is in the past.')
  return time.toISOString()
}
