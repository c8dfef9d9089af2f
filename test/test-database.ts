import type pg from 'pg'

/** The same server, another database. */
export function inDatabase({ connectionString, ...rest }: pg.ClientConfig, name: string): pg.ClientConfig {
  if (connectionString === undefined) return { ...rest, database: name }
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}
