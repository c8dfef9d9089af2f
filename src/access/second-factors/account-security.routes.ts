import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Database } from '../../platform/database/database.ts'
import { secondFactorLimitsOf, type Throttle } from '../throttle/throttle.ts'
import { beginTotp, finishTotp, removeTotp, renewRecoveryCodes } from './manage-second-factor.ts'
import { listPasskeys } from './passkey.sql.ts'
import { findPasswordOf, type Reauthenticate } from './reauthenticate.ts'
import {
  CodeSchema,
  ProofSchema,
  RecoveryCodesSchema,
  type Security,
  SecuritySchema,
  TotpSetupSchema,
} from './second-factor.schema.ts'
import { clearResetNotice, findFactors, isFactorRequired } from './second-factor.sql.ts'

type Parts = {
  database: Database
  secret: () => Promise<string>
  throttled: Throttle
  reauthenticate: Reauthenticate
}

const config = { withoutSecondFactor: true }

/** Authenticator app and recovery codes of the signed-in user. */
export function accountSecurityRoutes({
  database,
  secret,
  throttled,
  reauthenticate,
}: Parts): FastifyPluginAsyncTypebox {
  async function show(userId: number): Promise<Security> {
    const { totp, recovery_codes } = await findFactors(database, userId)
    return {
      has_password: (await findPasswordOf(database, userId)) !== undefined,
      totp,
      passkeys: await listPasskeys(database, userId),
      recovery_codes,
      required: await isFactorRequired(database, userId),
    }
  }

  return async (app) => {
    app.get('/account/security', { config, schema: { response: { 200: SecuritySchema } } }, ({ session }) =>
      show(session.user_id),
    )

    app.post(
      '/account/totp',
      { config, schema: { body: ProofSchema, response: { 200: TotpSetupSchema } } },
      async ({ session, body }) => {
        await reauthenticate(session, body.password)
        return beginTotp(database, await secret(), session)
      },
    )

    app.post(
      '/account/totp/confirm',
      { config, schema: { body: CodeSchema, response: { 200: RecoveryCodesSchema } } },
      async ({ session, body }) =>
        throttled(secondFactorLimitsOf(session.user_id), async () => {
          const code = body.code.replaceAll(/\s/g, '')
          return { recovery_codes: await finishTotp(database, await secret(), session, code) }
        }),
    )

    app.post(
      '/account/totp/remove',
      { config, schema: { body: ProofSchema, response: { 200: SecuritySchema } } },
      async ({ session, body }) => {
        await reauthenticate(session, body.password)
        await removeTotp(database, await secret(), session)
        return show(session.user_id)
      },
    )

    app.post(
      '/account/recovery-codes',
      { config, schema: { body: ProofSchema, response: { 200: RecoveryCodesSchema } } },
      async ({ session, body }) => {
        await reauthenticate(session, body.password)
        return { recovery_codes: await renewRecoveryCodes(database, session) }
      },
    )

    app.post(
      '/account/notices/read',
      { config, schema: { response: { 200: SecuritySchema } } },
      async ({ session }) => {
        await clearResetNotice(database, session.user_id)
        return show(session.user_id)
      },
    )
  }
}
