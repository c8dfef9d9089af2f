import type { Scope } from '../../model/scopes.ts'
import type { Role } from '../roles.ts'
import type { Credentials } from './token.sql.ts'

/** Whom a request speaks for: a token, or a person at the console (token_id 0, and the email for a name). */
export type Caller = Omit<Credentials, 'hash' | 'valid'> & {
  source?: 'api' | 'console'
  /** Of a person: their role in the project, and whether managers may make tokens of which scopes. */
  role?: Role
  self_service_tokens?: boolean
  self_service_scopes?: readonly Scope[] | null
}

/** How a change is signed in the history. */
export function authorOf({ token_name, source = 'api' }: Caller): {
  actor: string
  source: 'api' | 'console'
} {
  return { actor: token_name, source }
}
