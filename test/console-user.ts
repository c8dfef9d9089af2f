import { randomUUID } from 'node:crypto'
import { createUser } from '../src/users/manage-user.ts'
import type { Answer, TestService } from './harness.ts'

type Request = { method?: string; body?: unknown; headers?: Record<string, string> }

export type ConsoleUser = {
  id: number
  email: string
  password: string
  cookie: string
  /** As a page of the console would: with the cookie. */
  call(path: string, request?: Request): Promise<Answer>
}

/** An account of its own for a test, signed in. */
export async function consoleUser(
  service: TestService,
  { operator = false, projects = [] }: { operator?: boolean; projects?: number[] } = {},
): Promise<ConsoleUser> {
  const email = `${randomUUID()}@test.example`
  const { id, password } = await createUser(
    service.database,
    { name: 'tester' },
    { email, operator, project_ids: projects },
  )
  const cookie = cookieOf(await signIn(service, email, password))
  const call = (path: string, { headers, ...rest }: Request = {}) =>
    service.call(path, { ...rest, headers: { cookie, ...headers } })
  return { id, email, password, cookie, call }
}

export function signIn(service: TestService, email: string, password: string): Promise<Answer> {
  return service.call('/console/auth/sign-in/email', { method: 'POST', body: { email, password } })
}

/** What a browser would send back. */
export function cookieOf({ headers }: Answer): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}
