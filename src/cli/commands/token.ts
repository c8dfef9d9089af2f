import { Command, InvalidArgumentError } from 'commander'
import { tokenLimits } from '../../access/limits.ts'
import { requireProject } from '../../access/projects/project.sql.ts'
import { issueToken, revokeToken, rotateToken } from '../../access/tokens/manage-token.ts'
import { NewTokenSchema } from '../../access/tokens/token.schema.ts'
import { defaultTokenName, listTokens } from '../../access/tokens/token.sql.ts'
import { type Scope, scopes } from '../../model/scopes.ts'
import { checkInput } from '../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'
import { parseDuration } from '../parse-duration.ts'
import { parseScopes } from '../parse-scopes.ts'

type CreateOptions = CommonOptions & { project: number; name?: string; scopes?: Scope[]; expires?: string }

export function tokenCommand(): Command {
  const create = command('create', 'issue a token; it is shown this once')
    .requiredOption('--project <id>', 'id of the project', parseId)
    .option('--name <name>', 'who will use it')
    .option('--scopes <list>', `comma list of ${scopes.join(', ')} (default: all)`, parseScopes)
    .option('--expires <time>', 'ISO 8601 time at which it ends (default: never)', parseTime)
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

  const list = command('list', 'list the tokens of a project')
    .requiredOption('--project <id>', 'id of the project', parseId)
    .action(async (options: CommonOptions & { project: number }) => {
      const tokens = await withDatabase(options, async (database) => {
        await requireProject(database, options.project)
        return listTokens(database, options.project)
      })
      print(options, tokens)
    })

  const revoke = command('revoke', 'end a token at once')
    .argument('<id>', 'id of the token', parseId)
    .action(async (id: number, options: CommonOptions) => {
      print(options, await withDatabase(options, (database) => revokeToken(database, commandLineActor(), id)))
    })

  const rotate = command('rotate', 'issue a successor; the old token works on for the overlap')
    .argument('<id>', 'id of the token', parseId)
    .option('--overlap <time>', 'such as 30m, 24h or 7d', parseDuration, tokenLimits.overlapSeconds)
    .addHelpText('after', '\nExample:\n  catalog token rotate 3 --overlap 1h')
    .action(async (id: number, options: CommonOptions & { overlap: number }) =>
      print(
        options,
        await withDatabase(options, (database) =>
          rotateToken(database, commandLineActor(), id, options.overlap),
        ),
      ),
    )

  const token = new Command('token').description('credentials of the API')
  for (const one of [create, list, revoke, rotate]) token.addCommand(one)
  return token
}

function parseTime(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}/.test(text) ? new Date(text) : new Date(Number.NaN)
  if (Number.isNaN(time.getTime()))
    throw new InvalidArgumentError('a time looks like 2027-01-31 or 2027-01-31T12:00:00Z.')
  if (time.getTime() <= Date.now()) throw new InvalidArgumentError('it lies in the past.')
  return time.toISOString()
}
