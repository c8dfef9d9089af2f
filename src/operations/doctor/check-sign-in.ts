import { countOtherIssuers } from '../../access/company-accounts/company-account.sql.ts'
import { listTotpSecrets } from '../../access/second-factors/second-factor.sql.ts'
import { openTotpSecret } from '../../access/second-factors/totp.ts'
import { sql } from '../../platform/database/sql.ts'
import { findSecret } from '../../platform/database/stored-secret.ts'
import { doctorLimits } from '../limits.ts'
import { type Check, type Finding, ok, onDatabase, warning } from './check.ts'

const listedUsers = 5

/** Whether the codes of authenticator apps can be checked, and company accounts belong to the configured provider. */
export const signInCheck: Check = onDatabase('sign-in', async (database, { config }) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('totp_secrets') is not null as found`,
  )
  if (table?.found !== true) return ok('not checked until the migrations are applied')
  const apps = await listTotpSecrets(database, doctorLimits.checkedApps)
  // Not generated here: the doctor changes nothing.
  const secret = config.authSecret ?? (await findSecret(database, 'auth'))
  const lost = apps.filter(
    ({ user_id, secret: sealed }) =>
      secret === undefined || openTotpSecret(secret, user_id, sealed) === undefined,
  )
  if (lost.length > 0) return unreadable(lost, apps.length)
  const others = config.oidcIssuer === undefined ? 0 : await countOtherIssuers(database, config.oidcIssuer)
  if (others > 0)
    return warning(
      `${others} company ${others === 1 ? 'account belongs' : 'accounts belong'} to another provider than ${config.oidcIssuer}`,
      'set CATALOG_OIDC_ISSUER to the former provider, or link the users again with "catalog user link"',
    )
  return ok(`the codes of ${apps.length} authenticator apps can be checked`)
})

function unreadable(lost: { email: string }[], checked: number): Finding {
  const names = lost.slice(0, listedUsers).map(({ email }) => email)
  return warning(
    `${lost.length} of ${checked} authenticator apps were set up with another cookie secret and no longer work, such as those of ${names.join(', ')}`,
    'set CATALOG_AUTH_SECRET to the secret that was used before; otherwise, these users sign in with a recovery code or a passkey and set up the app again, or you run "catalog user reset-second-factor USER"',
  )
}
