import type { Database, Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { notifyUsers } from '../notifications/notify-users.ts'
import type { Role } from '../roles.ts'
import { requireUser, userNotFound } from '../users/manage-user.ts'
import type { User } from '../users/user.schema.ts'
import { deleteSessionsOf, lockUser } from '../users/user.sql.ts'
import { deletePasskeysOf } from './passkey.sql.ts'
import { createRecoveryCodes, hashRecoveryCode } from './recovery-codes.ts'
import {
  confirmTotp,
  deleteTotp,
  type Factors,
  findFactors,
  findTotp,
  forgetSecondFactor,
  hasFactor,
  isFactorRequired,
  keepOnlySession,
  listRequiredRoles,
  putTotp,
  replaceRecoveryCodes,
  replaceRequiredRoles,
  type StoredTotp,
  setResetNotice,
  takeRecoveryCode,
  takeTotpStep,
} from './second-factor.sql.ts'
import { createTotpSecret, findStep, openTotpSecret, sealTotpSecret, totpUri, typedSecret } from './totp.ts'

/** The user who changes the second factors of their own account, and the session of the request. */
export type Owner = { user_id: number; email: string; token_hash: string }

/** The app counts only after the user has entered a code of it. */
export async function beginTotp(database: Database, authSecret: string, owner: Owner) {
  const secret = createTotpSecret()
  const sealed = sealTotpSecret(authSecret, owner.user_id, secret)
  const isNew = await database.transaction((tx) => putTotp(tx, owner.user_id, sealed))
  if (!isNew) throw new Problem('second_factor_exists')
  return { secret: typedSecret(secret), uri: totpUri(secret, owner.email) }
}

/** Returns recovery codes with the first factor. */
export async function finishTotp(
  database: Database,
  authSecret: string,
  owner: Owner,
  code: string,
): Promise<string[]> {
  const stored = await findTotp(database, owner.user_id)
  if (stored === undefined) throw new Problem('not_found', { detail: 'Start to set up the app first.' })
  if (stored.confirmed_at !== null) throw new Problem('second_factor_exists')
  const secret = openTotpSecret(authSecret, owner.user_id, stored.secret)
  const step = secret === undefined ? undefined : await findStep(secret, code)
  if (step === undefined) throw new Problem('wrong_code')
  return addFactor(database, owner, 'authenticator app', async (tx) => {
    if (!(await confirmTotp(tx, owner.user_id, stored.secret, step))) throw new Problem('wrong_code')
  })
}

/** Adds a factor, ends all other sessions and returns recovery codes if it is the first factor. */
export function addFactor(
  database: Writable,
  owner: Owner,
  factor: string,
  add: (tx: Transaction) => Promise<void>,
): Promise<string[]> {
  return database.transaction(async (tx) => {
    await lockUser(tx, owner.user_id)
    const isFirst = !hasFactor(await findFactors(tx, owner.user_id))
    await add(tx)
    await keepOnlySession(tx, owner.user_id, owner.token_hash)
    await record(tx, { name: owner.email }, 'user.add_second_factor', owner, { factor })
    return isFirst ? renewCodes(tx, owner.user_id) : []
  })
}

/** An app that no longer works can always be removed: the set-up page then asks for a new factor if a role requires one. */
export async function removeTotp(database: Database, authSecret: string, owner: Owner): Promise<void> {
  const isLost = isUnreadable(authSecret, owner.user_id, await findTotp(database, owner.user_id))
  const remove = (tx: Transaction) => deleteTotp(tx, owner.user_id)
  return removeFactor(database, owner, 'authenticator app', remove, isLost)
}

/** The last factor cannot be removed while a role requires one, unless it is lost. */
export function removeFactor(
  database: Writable,
  owner: Owner,
  factor: string,
  remove: (tx: Transaction) => Promise<boolean>,
  isLost = false,
): Promise<void> {
  return database.transaction(async (tx) => {
    await lockUser(tx, owner.user_id)
    if (!(await remove(tx))) throw new Problem('not_found', { detail: `You have no such ${factor}.` })
    await record(tx, { name: owner.email }, 'user.remove_second_factor', owner, { factor })
    if (hasFactor(await findFactors(tx, owner.user_id))) return
    if (!isLost && (await isFactorRequired(tx, owner.user_id)))
      throw new Problem('second_factor_required', {
        detail: 'Your role requires a second factor. Add another one before you remove this one.',
      })
    await replaceRecoveryCodes(tx, owner.user_id, [])
    await forgetSecondFactor(tx, owner.user_id)
  })
}

/** The previous codes stop working. */
export function renewRecoveryCodes(database: Writable, owner: Owner): Promise<string[]> {
  return database.transaction(async (tx) => {
    await lockUser(tx, owner.user_id)
    if (!hasFactor(await findFactors(tx, owner.user_id)))
      throw new Problem('not_found', { detail: 'Set up a second factor first.' })
    await record(tx, { name: owner.email }, 'user.renew_recovery_codes', owner)
    return renewCodes(tx, owner.user_id)
  })
}

async function renewCodes(tx: Transaction, userId: number): Promise<string[]> {
  const codes = createRecoveryCodes()
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashRecoveryCode(userId, code)),
  )
  return codes
}

/** A code counts once, also if several requests send it at the same time. */
export async function checkTotp(
  database: Database,
  authSecret: string,
  userId: number,
  code: string,
): Promise<void> {
  const stored = await findTotp(database, userId)
  if (isUnreadable(authSecret, userId, stored)) throw new Problem('app_unreadable')
  const secret =
    stored === undefined || stored.confirmed_at === null
      ? undefined
      : openTotpSecret(authSecret, userId, stored.secret)
  const step = secret === undefined ? undefined : await findStep(secret, code)
  if (step === undefined || !(await takeTotpStep(database, userId, step))) throw new Problem('wrong_code')
}

/** After a restore, or after a change of the secret that encrypts apps. */
function isUnreadable(authSecret: string, userId: number, stored: StoredTotp | undefined): boolean {
  if (stored === undefined || stored.confirmed_at === null) return false
  return openTotpSecret(authSecret, userId, stored.secret) === undefined
}

export async function checkRecoveryCode(database: Database, userId: number, code: string): Promise<void> {
  if (!(await takeRecoveryCode(database, userId, hashRecoveryCode(userId, code))))
    throw new Problem('wrong_code')
}

/** For users who lost their devices and recovery codes: removes all factors and ends all sessions. */
export function resetSecondFactor(
  database: Writable,
  actor: Actor,
  id: number,
): Promise<{ user: User; factors: Factors }> {
  return database.transaction(async (tx) => {
    if (!(await lockUser(tx, id))) throw userNotFound(id)
    const factors = await findFactors(tx, id)
    const { email } = await requireUser(tx, id)
    if (hasFactor(factors)) {
      await deleteTotp(tx, id)
      await deletePasskeysOf(tx, id)
      await replaceRecoveryCodes(tx, id, [])
      const sessions = await deleteSessionsOf(tx, id)
      await setResetNotice(tx, id)
      await notifyUsers(tx, { kind: 'second_factor_reset', to: { userId: id }, actor: actor.name })
      await record(tx, actor, 'user.reset_second_factor', { user_id: id, email }, { ...factors, sessions })
    }
    return { user: await requireUser(tx, id), factors }
  })
}

/** Takes effect at the next request of every open session. */
export function requireSecondFactor(
  database: Writable,
  actor: Actor,
  roles: readonly Role[],
): Promise<{ roles: Role[] }> {
  return database.transaction(async (tx) => {
    const before = await listRequiredRoles(tx)
    await replaceRequiredRoles(tx, roles)
    const after = await listRequiredRoles(tx)
    if (before.join() !== after.join())
      await insertAuditEntry(tx, actor, {
        action: 'user.require_second_factor',
        target: 'all users',
        details: { before, after },
      })
    return { roles: after }
  })
}

function record(
  tx: Transaction,
  actor: Actor,
  action: string,
  { user_id, email }: Pick<Owner, 'user_id' | 'email'>,
  more: object = {},
): Promise<void> {
  return insertAuditEntry(tx, actor, { action, target: `user ${user_id}`, details: { email, ...more } })
}
