import type { Database, Transaction } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { insertAuditEntry } from '../audit/audit.sql.ts'
import { accountLimits } from '../limits.ts'
import { insertAccount } from '../users/manage-user.ts'
import {
  deleteSessionsOf,
  findMissingProjects,
  findUserIdByEmail,
  setMemberships,
  updateUser,
} from '../users/user.sql.ts'
import { completeLink, type LinkedUser, lockLinkedUser, putCompanyAccount } from './company-account.sql.ts'
import type { CompanySettings } from './company-settings.ts'
import { accessOf, type GroupAccess, grantsOperators } from './group-map.ts'
import type { Identity } from './provider.ts'

/**
 * Finds or creates the user of an account at the provider, and applies its groups. An email alone never leads to an existing user:
 * the user, or an operator, must have linked the account.
 */
export async function enterCompany(
  database: Database,
  settings: CompanySettings,
  identity: Identity,
): Promise<number> {
  const result = await database.transaction(async (tx) => {
    const user =
      (await lockLinkedUser(tx, settings.issuer, identity.subject)) ??
      (await linkPrepared(tx, settings, identity)) ??
      (await createCompanyUser(tx, settings, identity))
    if (user.disabled) throw new Problem('no_company_access')
    return { user, isAllowed: await applyGroups(tx, settings, identity, user) }
  })
  // After the commit, which has ended the sessions.
  if (!result.isAllowed) throw new Problem('no_company_access')
  return result.user.user_id
}

async function linkPrepared(
  tx: Transaction,
  { issuer }: CompanySettings,
  { subject, email }: Identity,
): Promise<LinkedUser | undefined> {
  if (!(await completeLink(tx, issuer, subject, email))) return undefined
  const user = await lockLinkedUser(tx, issuer, subject)
  if (user !== undefined) await recordLink(tx, user)
  return user
}

/** Without a group map, only operators create users: anyone with an account at a public provider could otherwise. */
async function createCompanyUser(
  tx: Transaction,
  settings: CompanySettings,
  { subject, email, name, groups }: Identity,
): Promise<LinkedUser> {
  if ((await findUserIdByEmail(tx, email)) !== undefined) throw new Problem('company_account_not_linked')
  if (email.length > accountLimits.emailCharacters) throw new Problem('company_email_unverified')
  if (settings.groups === undefined || accessOf(settings.groups, groups) === undefined)
    throw new Problem('no_company_access')
  const { id } = await insertAccount(tx, { name: email }, { email, name }).catch(asNotLinked)
  if (!(await putCompanyAccount(tx, id, { issuer: settings.issuer, subject })))
    throw new Problem('company_sign_in_failed')
  const user = { user_id: id, email, operator: false, disabled: false }
  await recordLink(tx, user)
  return user
}

/** Another sign-in created the user meanwhile. */
function asNotLinked(error: Error): never {
  throw error instanceof Problem ? new Problem('company_account_not_linked') : error
}

/** Sets the projects and roles of the groups. Without any, ends all sessions and returns false. */
export async function applyGroups(
  tx: Transaction,
  { groups: map }: CompanySettings,
  { groups }: Pick<Identity, 'groups'>,
  user: LinkedUser,
): Promise<boolean> {
  if (map === undefined) return true
  const granted = accessOf(map, groups)
  const { operator, memberships } = granted ?? { operator: false, memberships: [] }
  if (grantsOperators(map) && operator !== user.operator) await updateUser(tx, user.user_id, { operator })
  await setMemberships(tx, user.user_id, await existing(tx, memberships))
  if (granted !== undefined) return true
  const sessions = await deleteSessionsOf(tx, user.user_id)
  await record(tx, 'user.lose_company_access', user, { sessions })
  return false
}

/** The group map can name projects that were deleted. */
async function existing(
  tx: Transaction,
  memberships: GroupAccess['memberships'],
): Promise<GroupAccess['memberships']> {
  const missing = await findMissingProjects(
    tx,
    memberships.map(({ project_id }) => project_id),
  )
  return memberships.filter(({ project_id }) => !missing.includes(project_id))
}

export function recordLink(tx: Transaction, user: Pick<LinkedUser, 'user_id' | 'email'>): Promise<void> {
  return record(tx, 'user.link_company_account', user)
}

function record(
  tx: Transaction,
  action: string,
  { user_id, email }: Pick<LinkedUser, 'user_id' | 'email'>,
  more: object = {},
): Promise<void> {
  const details = { email, ...more }
  return insertAuditEntry(tx, { name: email }, { action, target: `user ${user_id}`, details })
}
