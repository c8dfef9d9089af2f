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

const allRequests = { number: 1, size: 10_000 }

export function accessCommand(): Command {
  const list = command('list', 'List API access requests, newest first')
    .addOption(new Option('--state <state>', 'Only requests in this state').choices(accessRequestStates))
    .action(async (options: CommonOptions & { state?: string }) => {
      const { results } = await withDatabase(options, (database) =>
        listAccessRequests(database, options.state, allRequests),
      )
      print(
        options,
        results.map((request) => (options.json === true ? request : inOneLine(shown(options, request)))),
      )
    })

  const approve = command(
    'approve',
    'Enable API access and create a token, which a project member can reveal in the console',
  )
    .argument('<id>', 'Request ID', parseId)
    .option('--show-token', 'Show the token here, once, instead of in the console')
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

  const decline = command('decline', 'Decline a request and give the member a reason')
    .argument('<id>', 'Request ID', parseId)
    .option('--reason <text>', 'Reason shown to the member', 'The operator gave no reason.')
    .addHelpText(
      'after',
      '\nExample:\n  catalog access decline 3 --reason "Add products first, then ask again."',
    )
    .action(async (id: number, options: CommonOptions & { reason: string }) => {
      const { reason } = checkInput(DeclineSchema, { reason: options.reason })
      const request = await withDatabase(options, (database) =>
        declineRequest(database, commandLineActor(), id, reason),
      )
      print(options, shown(options, request))
    })

  const access = new Command('access').description('Review API access requests')
  for (const one of [list, approve, decline]) access.addCommand(one)
  return access
}

/** The table shows the project's ID and name; --json prints the full request. */
function shown({ json }: CommonOptions, request: AccessRequest) {
  const { id, name } = request.project
  return json === true ? request : { ...request, project: `${id} ${name}` }
}

/** Shortens the purpose to one line; --json prints it in full. */
function inOneLine<Shown extends { purpose: string }>(request: Shown): Shown {
  const words = request.purpose.replace(/\s+/g, ' ')
  return { ...request, purpose: words.length > 60 ? `${words.slice(0, 59).toWellFormed()}…` : words }
}
