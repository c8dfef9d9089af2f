import type { Scope } from '../../model/scopes.ts'
import type { Role } from '../roles.ts'
import type { Credentials } from './token.sql.ts'

/** Who sends a request: a token, or a console user (token_id 0, with the email as the name). */
export type Caller = Omit<Credentials, 'hash' | 'valid'> & {
  source?: 'api' | 'console'
  /** Of a console user: the role in the project, whether its files are public, and the scopes of tokens that managers can create. */
  role?: Role
  public_media?: boolean
  self_service_tokens?: boolean
  self_service_scopes?: readonly Scope[] | null
}

/** The author of a change in the history. */
export function authorOf({ token_name, source = 'api' }: Caller): {
  actor: string
  source: 'api' | 'console'
} {
  return { actor: token_name, source }
}

/** The actor of an audit entry. */
export function actorOfCaller({ token_name: name }: Caller): { name: string } {
  return { name }
}
