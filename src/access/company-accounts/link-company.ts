import type { Database, Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { accountLimits } from '../limits.ts'
import { insertAccount, rejectLastOperator, requireUser, userNotFound } from '../users/manage-user.ts'
import type { NewUser, User } from '../users/user.schema.ts'
import { lockUser } from '../users/user.sql.ts'
import {
  deleteCompanyAccount,
  lockLinkedUser,
  prepareLink,
  putCompanyAccount,
} from './company-account.sql.ts'
import type { CompanySettings } from './company-settings.ts'
import { applyGroups, recordLink } from './enter-company.ts'
import { accessOf, grantsOperators } from './group-map.ts'
import type { Identity } from './provider.ts'

/** Links the account of a signed-in user, who proved to own both. From then on, the groups decide what the user can access. */
export function linkOwnAccount(
  database: Database,
  settings: CompanySettings,
  userId: number,
  identity: Identity,
): Promise<void> {
  return database.transaction(async (tx) => {
    const { issuer, groups } = settings
    const granted = groups && accessOf(groups, identity.groups)
    if (groups !== undefined && granted === undefined) throw new Problem('no_company_access')
    if (groups !== undefined && grantsOperators(groups) && granted?.operator === false)
      await rejectLastOperator(tx, userId)
    if (!(await lockUser(tx, userId))) throw userNotFound(userId)
    if (!(await putCompanyAccount(tx, userId, { issuer, subject: identity.subject })))
      throw new Problem('company_account_taken')
    const user = await lockLinkedUser(tx, issuer, identity.subject)
    if (user === undefined) throw new Problem('company_account_taken')
    await recordLink(tx, user)
    await applyGroups(tx, settings, identity, user)
  })
}

/** For operators: the next sign-in with the verified email of the user links the account. With a subject, only that account. */
export function linkUser(
  database: Writable,
  actor: Actor,
  id: number,
  { issuer, subject }: { issuer: string; subject?: string | undefined },
): Promise<User> {
  return database.transaction(async (tx) => {
    if (!(await lockUser(tx, id))) throw userNotFound(id)
    if (subject === undefined) await prepareLink(tx, id, issuer, accountLimits.invitationSeconds)
    else if (!(await putCompanyAccount(tx, id, { issuer, subject })))
      throw new Problem('company_account_taken')
    return recorded(tx, actor, 'user.link_company_account', id)
  })
}

/** Creates an account without a password, for the user with this email at the provider. */
export function createLinkedUser(
  database: Writable,
  actor: Actor,
  input: NewUser,
  issuer: string,
): Promise<User> {
  return database.transaction(async (tx) => {
    const { id } = await insertAccount(tx, actor, input)
    return linkUser(tx, actor, id, { issuer })
  })
}

/** The user needs another way to sign in. Open sessions stay. */
export function unlinkUser(database: Writable, actor: Actor, id: number): Promise<User> {
  return database.transaction(async (tx) => {
    if (!(await lockUser(tx, id))) throw userNotFound(id)
    if (!(await deleteCompanyAccount(tx, id))) return requireUser(tx, id)
    return recorded(tx, actor, 'user.unlink_company_account', id)
  })
}

async function recorded(tx: Transaction, actor: Actor, action: string, id: number): Promise<User> {
  const user = await requireUser(tx, id)
  const details = { email: user.email }
  await insertAuditEntry(tx, actor, { action, target: `user ${id}`, details })
  return user
}
