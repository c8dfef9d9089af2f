import { Command, Option } from 'commander'
import {
  type AccessRequest,
  accessRequestStates,
  DeclineSchema,
} from '../../access/access-requests/access-request.schema.ts'
import { listAccessRequests } from '../../access/access-requests/access-request.sql.ts'
import { approveRequest, declineRequest } from '../../access/access-requests/decide-request.ts'
import { checkInput } from '../../platform/http/body/check-input.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { commandLineActor } from '../command-line-actor.ts'

const everything = { number: 1, size: 10_000 }

export function accessCommand(): Command {
  const list = command('list', 'list the requests for API access, newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(accessRequestStates))
    .action(async (options: CommonOptions & { state?: string }) => {
      const { results } = await withDatabase(options, (database) =>
        listAccessRequests(database, options.state, everything),
      )
      print(
        options,
        results.map((request) => (options.json === true ? request : inOneLine(shown(options, request)))),
      )
    })

  const approve = command(
    'approve',
    'enable API access and issue a token, which a member shows in the console',
  )
    .argument('<id>', 'id of the request', parseId)
    .option('--show-token', 'show the token here, this once, instead of in the console')
    .addHelpText('after', '\nExample:\n  catalog access approve 3')
    .action(async (id: number, options: CommonOptions & { showToken?: boolean }) => {
      const { token, ...request } = await withDatabase(options, (database) =>
        approveRequest(database, commandLineActor(), id, { showToken: options.showToken === true }),
      )
      const issued = { token_id: token.id, ...('token' in token && { token: token.token }) }
      print(
        options,
        options.json === true ? { ...request, token } : { ...shown(options, request), ...issued },
      )
    })

  const decline = command('decline', 'turn a request down, with a reason that the member reads')
    .argument('<id>', 'id of the request', parseId)
    .option('--reason <text>', 'what the member reads', 'The operator gave no reason.')
    .addHelpText(
      'after',
      '\nExample:\n  catalog access decline 3 --reason "Ask again once the catalog is filled."',
    )
    .action(async (id: number, options: CommonOptions & { reason: string }) => {
      const { reason } = checkInput(DeclineSchema, { reason: options.reason })
      const request = await withDatabase(options, (database) =>
        declineRequest(database, commandLineActor(), id, reason),
      )
      print(options, shown(options, request))
    })

  const access = new Command('access').description('requests for API access')
  for (const one of [list, approve, decline]) access.addCommand(one)
  return access
}

/** People see the project as its id and name; --json has the whole request. */
function shown({ json }: CommonOptions, request: AccessRequest) {
  const { id, name } = request.project
  return json === true ? request : { ...request, project: `${id} ${name}` }
}

/** A list has one line for each request; --json has the whole purpose. */
function inOneLine<Shown extends { purpose: string }>(request: Shown): Shown {
  const words = request.purpose.replace(/\s+/g, ' ')
  return { ...request, purpose: words.length > 60 ? `${words.slice(0, 59).toWellFormed()}…` : words }
}
