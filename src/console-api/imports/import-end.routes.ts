import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { notifyUsers } from '../../access/notifications/notify-users.ts'
import { TitleSchema } from '../../catalog/proposals/proposal.schema.ts'
import { findProposals } from '../../catalog/proposals/proposal.sql.ts'
import { proposalLimits } from '../../model/limits/proposals.ts'
import type { Database } from '../../platform/database/database.ts'
import { closed } from '../../platform/http/closed.ts'
import { notFound } from '../../platform/http/problems.ts'

const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const ImportEndSchema = Type.Object(
  {
    title: TitleSchema,
    proposals: Type.Array(Id, { minItems: 1, maxItems: proposalLimits.open, uniqueItems: true }),
  },
  closed,
)

/**
 * The end of a console import. Only the browser, which reads the file, knows which proposal is the last one. The user is notified,
 * because an import of several proposals takes minutes, during which the user works in another tab.
 */
export function importEndRoutes(database: Database): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/imports/finished',
      {
        config: { scope: 'products:propose' },
        schema: { body: ImportEndSchema, response: { 204: Type.Null({ description: 'Notified' }) } },
      },
      async ({ caller, body: { title, proposals } }, reply) => {
        const { project_id: projectId, token_name: email } = caller
        const found = await findProposals(database, projectId, proposals)
        const own = found.filter(({ actor, origin }) => origin === 'console' && actor === email)
        const [first] = own
        const missing = proposals.find((id) => !own.some((proposal) => proposal.id === id))
        if (first === undefined || missing !== undefined) throw notFound('proposal', missing ?? 0)
        await database.transaction((tx) =>
          notifyUsers(tx, {
            ...{ kind: 'import_finished', projectId, to: { email }, subject: String(first.id), title },
            // Without an object, the notification opens the list.
            ...(own.length === 1 && { objectId: first.id }),
          }),
        )
        reply.code(204)
        return null
      },
    )
  }
}
