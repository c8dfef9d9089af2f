import { inputRequired, type RequestStateCodec } from '@modelcontextprotocol/server'
import { describe, proposalId, proposalOutput } from './proposal-tools.ts'
import type { Tool } from './tool.ts'

/** What a request to apply was about. It confirms only what the client asked for; the click in the console decides. */
export type AppliedRequest = { proposal: number; revision: number }

/** Asks a person to apply a proposal. The token cannot apply it, whatever the client claims about consent. */
export function requestApplyTool(states: RequestStateCodec<AppliedRequest>): Tool {
  return {
    name: 'request_apply',
    title: 'Ask a person to apply a proposal',
    description:
      'Returns the console page on which a signed-in person decides whether to apply a proposal, and the state of the proposal. Call it again to learn the decision. Does not apply the proposal.',
    scope: 'products:propose',
    isReadOnly: false,
    input: proposalId,
    output: proposalOutput,
    async run({ id }, session) {
      const proposal = await session.call('GET', `/proposals/${id}`)
      const content = await describe(session, proposal)
      const asked = session.context.mcpReq.requestState<AppliedRequest>()
      const isRepeated = asked?.proposal === proposal.id && asked?.revision === proposal.revision
      if (proposal.state !== 'open' || isRepeated || !session.canOpenUrls)
        return { ...content, state: proposal.state === 'open' ? 'waiting' : proposal.state }
      const state = { proposal: proposal.id, revision: proposal.revision }
      return inputRequired({
        requestState: await states.mint(state, session.context),
        inputRequests: {
          review: inputRequired.elicitUrl({
            url: session.reviewUrl(proposal.id),
            message: 'Review the proposed changes in the console, and apply or discard them there.',
          }),
        },
      })
    },
  }
}
