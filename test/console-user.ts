import { createHmac, randomUUID } from 'node:crypto'
import { cookiePrefix } from '../src/access/cookies/cookie.ts'
import { accountLimits } from '../src/access/limits.ts'
import type { MemberRole } from '../src/access/roles.ts'
import { authSecret } from '../src/access/sessions/auth-secret.ts'
import { hashSessionToken } from '../src/access/sessions/session-cookie.ts'
import { createUser } from '../src/access/users/manage-user.ts'
import { type GeneratedPassword, generatePassword } from '../src/access/users/password.ts'
import type { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import type { TestResponse, TestService } from './harness.ts'

type Request = { method?: string; body?: unknown; headers?: Record<string, string> }

export type ConsoleUser = {
  id: number
  email: string
  password: string
  cookie: string
  /** Sends the cookie, like a console page. */
  call(path: string, request?: Request): Promise<TestResponse>
}

type AccountOptions = { operator?: boolean; projects?: number[]; memberships?: Membership[] }
type Membership = { project_id: number; role: MemberRole }

function membershipsOf(projects: number[]): Membership[] {
  return projects.map((project_id) => ({ project_id, role: 'manager' }))
}

let known: Promise<GeneratedPassword> | undefined

/** Test accounts share one password, because a hash takes a tenth of a second. */
export function knownPassword(): Promise<GeneratedPassword> {
  known ??= generatePassword()
  return known
}

/** A new, signed-in account. */
export async function consoleUser(
  service: TestService,
  { operator = false, projects = [], memberships = membershipsOf(projects) }: AccountOptions = {},
): Promise<ConsoleUser> {
  const email = `${randomUUID()}@test.example`
  const { id, password } = await createUser(
    service.database,
    { name: 'tester' },
    { email, operator, memberships },
    await knownPassword(),
  )
  const cookie = await openSession(service.database, id)
  const call = (path: string, { headers, ...rest }: Request = {}) =>
    service.call(path, { ...rest, headers: { cookie, ...headers } })
  return { id, email, password, cookie, call }
}

/** Opens a session without a password check. src/access/sessions/sign-in.test.ts tests the sign-in. */
export async function openSession(database: Database, userId: number): Promise<string> {
  const token = randomUUID()
  const signature = createHmac('sha256', await authSecret(database, undefined)())
    .update(token)
    .digest('base64')
  await database.query(sql`
    insert into sessions (user_id, token_hash, expires_at)
    values (${userId}, ${hashSessionToken(token)}, now() + make_interval(secs => ${accountLimits.sessionSeconds}))`)
  return `${cookiePrefix}.session_token=${encodeURIComponent(`${token}.${signature}`)}`
}

export function signIn(service: TestService, email: string, password: string): Promise<TestResponse> {
  return service.call('/console/auth/sign-in/email', { method: 'POST', body: { email, password } })
}

/** The cookies that a browser would send back. */
export function cookieOf({ headers }: TestResponse): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}
