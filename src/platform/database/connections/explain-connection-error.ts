import { sqlState } from '../failures.ts'
import { sqlStates } from '../sql-states.ts'

/** Explains why a server refuses a connection and how to fix it. `setting` names the setting with the address. */
type Rule = {
  matches: (code: string, message: string) => boolean
  explain: (message: string, setting: string) => string
}

const certificateCodes = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/

/** The first match applies. */
const rules: Rule[] = [
  {
    matches: (_code, message) => /unsupported startup parameter/.test(message),
    explain: (message, setting) =>
      `is a pooler that refuses the setting ${/: (\S+)/.exec(message)?.[1]}, which the service requires; add it to ignore_startup_parameters in pgbouncer (see "Connection pooler" in docs/install.md), or set ${setting} to the address of the server itself`,
  },
  {
    matches: (_code, message) => message.includes('client password must be a'),
    explain: (_message, setting) => `requires a password, but ${setting} has none; add it to the address`,
  },
  {
    matches: (code) => code === sqlStates.invalidPassword,
    explain: (message, setting) =>
      `refused the password (${message}); correct the user or the password in ${setting}`,
  },
  {
    matches: (code, message) =>
      code === sqlStates.invalidAuthorization && /no encryption|SSL off/.test(message),
    explain: (message, setting) =>
      `does not accept unencrypted connections from this machine (${message}); add sslmode=verify-full to ${setting}, or allow the connection in pg_hba.conf on the server`,
  },
  {
    matches: (code) => code === sqlStates.invalidAuthorization,
    explain: (message, setting) =>
      `refused the user (${message}); correct the user in ${setting}, or allow it in pg_hba.conf on the server`,
  },
  {
    matches: (code) => code === sqlStates.unknownDatabase,
    explain: (message, setting) =>
      `does not have this database (${message}); create it, or correct its name in ${setting}`,
  },
  {
    matches: (code) => code === sqlStates.insufficientPrivilege,
    explain: (message) => `does not let this user connect (${message}); grant it the CONNECT privilege`,
  },
  {
    matches: (code) => code === sqlStates.tooManyConnections,
    explain: (message) =>
      `has no connections left (${message}); close some of its clients, or raise max_connections on the server`,
  },
  {
    matches: (code) => code === sqlStates.cannotConnectNow,
    explain: (message) => `does not accept connections yet (${message}); try again when it has started`,
  },
  {
    matches: (_code, message) => message.includes('does not support SSL'),
    explain: (_message, setting) =>
      `does not support encrypted connections; remove sslmode from ${setting} (and PGSSLMODE), or enable ssl on the server`,
  },
  {
    matches: (code) => certificateCodes.test(code),
    explain: (message, setting) =>
      `has an untrusted certificate (${message}); set sslrootcert=FILE in ${setting} to the certificate of its authority`,
  },
  {
    matches: (code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN',
    explain: (message, setting) =>
      `cannot be reached: its host name cannot be resolved (${message}); correct the host in ${setting}`,
  },
]

export function explainConnectionError(place: string, error: unknown, setting: string): Error {
  const code = sqlState(error) ?? ''
  const message = (error as Error).message || code
  const rule = rules.find(({ matches }) => matches(code, message))
  const explained =
    rule?.explain(message, setting) ??
    `cannot be reached: ${message}; check that the server is running and that ${setting} has the correct host and port`
  return new Error(`${place} ${explained}`, { cause: error })
}
