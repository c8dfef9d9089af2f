import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import type { Reauthenticate } from '../second-factors/reauthenticate.ts'
import { ProofSchema } from '../second-factors/second-factor.schema.ts'
import { OwnCompanyAccountSchema, ProviderPageSchema } from './company.schema.ts'
import { isLinked } from './company-account.sql.ts'
import type { CompanySignIn } from './company-sign-in.ts'

type Parts = { database: Database; company: CompanySignIn; reauthenticate: Reauthenticate }

/** The company account of the signed-in user. */
export function ownCompanyRoutes({ database, company, reauthenticate }: Parts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/account/company',
      { schema: { response: { 200: OwnCompanyAccountSchema } } },
      async ({ session }) => {
        const { settings } = company
        return {
          available: settings !== undefined,
          linked: settings !== undefined && (await isLinked(database, session.user_id, settings.issuer)),
          by_groups: settings?.groups !== undefined,
        }
      },
    )

    app.post(
      '/account/company/link',
      { schema: { body: ProofSchema, response: { 200: ProviderPageSchema } } },
      async (request, reply) => {
        const { session, body } = request
        await reauthenticate(session, body.password)
        return company.start(request, reply, { next: '/account', link_user: session.user_id })
      },
    )
  }
}
