import type { Transaction, Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { deleteInvitationOf } from './invitation.sql.ts'
import { type GeneratedPassword, generatePassword } from './password.ts'
import type { IssuedUser, NewUser, User, UserChanges } from './user.schema.ts'
import {
  deleteSessionsOf,
  findMissingProjects,
  findUser,
  findUserIdByEmail,
  insertUser,
  lockOperators,
  lockUser,
  setMemberships,
  setPassword,
  updateUser,
} from './user.sql.ts'

export async function createUser(
  database: Writable,
  actor: Actor,
  input: NewUser,
  generated?: GeneratedPassword,
): Promise<IssuedUser> {
  const { password, hash } = generated ?? (await generatePassword())
  const user = await database.transaction((tx) => insertAccount(tx, actor, input, hash))
  return { ...user, password }
}

/** Without a password hash, the user cannot sign in yet. */
export async function insertAccount(
  tx: Transaction,
  actor: Actor,
  input: NewUser,
  passwordHash?: string,
): Promise<User> {
  const { name = '', operator = false } = input
  const email = input.email.toLowerCase()
  const id = await insertUser(tx, { email, name, operator })
  if (id === undefined) throw await duplicateEmail(tx, email)
  if (passwordHash !== undefined) await setPassword(tx, id, passwordHash)
  await setProjects(tx, id, input)
  const created = await requireUser(tx, id)
  await insertAuditEntry(tx, actor, {
    action: 'user.create',
    target: `user ${id}`,
    details: {
      email,
      operator,
      memberships: membershipsOf(created),
    },
  })
  return created
}

export function changeUser(
  database: Writable,
  actor: Actor,
  id: number,
  changes: UserChanges,
): Promise<User> {
  return database.transaction(async (tx) => {
    if (changes.operator === false) await rejectLastOperator(tx, id)
    if (!(await lockUser(tx, id))) throw userNotFound(id)
    if (Object.keys(changes).length === 0) return requireUser(tx, id)
    await updateUser(tx, id, changes)
    await setProjects(tx, id, changes)
    const changed = await requireUser(tx, id)
    await insertAuditEntry(tx, actor, {
      action: 'user.change',
      target: `user ${id}`,
      details: { email: changed.email, ...changes, ...namesOf(changes, changed) },
    })
    return changed
  })
}

/** With the names of projects, which may change or be deleted later. */
function membershipsOf({ projects }: User): object[] {
  return projects.map(({ id, name, role }) => ({ project_id: id, name, role }))
}

function namesOf({ project_ids, memberships }: UserChanges, user: User): object {
  const isSet = project_ids !== undefined || memberships !== undefined
  return isSet ? { project_ids: undefined, memberships: membershipsOf(user) } : {}
}

type Reset = { generated?: GeneratedPassword; endSessions?: boolean }

/** Sets a new password, and ends the sessions and the invitation link of the user. */
export async function resetPassword(
  database: Writable,
  actor: Actor,
  id: number,
  { generated, endSessions = true }: Reset = {},
): Promise<IssuedUser> {
  const { password, hash } = generated ?? (await generatePassword())
  const user = await database.transaction(async (tx) => {
    if (!(await lockUser(tx, id))) throw userNotFound(id)
    await setPassword(tx, id, hash)
    await deleteInvitationOf(tx, id)
    if (endSessions) await deleteSessionsOf(tx, id)
    const found = await requireUser(tx, id)
    await insertAuditEntry(tx, actor, {
      action: 'user.reset_password',
      target: `user ${id}`,
      details: { email: found.email },
    })
    return found
  })
  return { ...user, password }
}

/** Keeps the last operator who can sign in: otherwise no one could appoint an operator in the console. */
export async function rejectLastOperator(tx: Transaction, id: number): Promise<void> {
  const operators = await lockOperators(tx)
  if (operators.length === 1 && operators[0] === id) throw new Problem('last_operator')
}

type ProjectSettings = Pick<UserChanges, 'project_ids' | 'memberships'>

async function setProjects(
  tx: Transaction,
  userId: number,
  { project_ids, memberships }: ProjectSettings,
): Promise<void> {
  if (project_ids !== undefined && memberships !== undefined) throw conflictingMemberships()
  const given = memberships ?? project_ids?.map((project_id) => ({ project_id }))
  if (given === undefined) return
  const ids = given.map(({ project_id }) => project_id)
  const missing = await findMissingProjects(tx, ids)
  if (missing.length > 0) {
    const errors = missing.map((id) => ({
      pointer:
        memberships === undefined
          ? `/project_ids/${ids.indexOf(id)}`
          : `/memberships/${ids.indexOf(id)}/project_id`,
      code: 'unknown_project',
      message: `refers to project ${id}, which does not exist`,
    }))
    throw new Problem('invalid_body', { errors })
  }
  // If a project is listed twice, the last entry counts.
  await setMemberships(tx, userId, [
    ...new Map(given.map((membership) => [membership.project_id, membership])).values(),
  ])
}

function conflictingMemberships(): Problem {
  const message = 'cannot be combined with project_ids; leave one of them out'
  return new Problem('invalid_body', { errors: [{ pointer: '/memberships', code: 'duplicate', message }] })
}

export async function requireUser(tx: Transaction, id: number): Promise<User> {
  const user = await findUser(tx, id)
  if (user === undefined) throw userNotFound(id)
  return user
}

export function userNotFound(id: number): Problem {
  return new Problem('not_found', { detail: `There is no user ${id}.` })
}

async function duplicateEmail(tx: Transaction, email: string): Promise<Problem> {
  const existing = await findUserIdByEmail(tx, email)
  return new Problem('duplicate_email', {
    detail: `User ${existing} has the email ${email}; change that user, or reset the password.`,
    ...(existing !== undefined && { existing_id: existing }),
  })
}
