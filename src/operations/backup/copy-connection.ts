import type pg from 'pg'
import { connect } from '../../platform/database/connections/connect.ts'

// The text of a value must not depend on the settings of a server, and a table may take longer than any statement of the service.
const settings = [
  "set client_encoding = 'UTF8'",
  "set timezone = 'UTC'",
  "set datestyle = 'ISO'",
  "set intervalstyle = 'postgres'",
  "set bytea_output = 'hex'",
  'set extra_float_digits = 1',
  'set row_security = off',
  'set statement_timeout = 0',
  "set lock_timeout = '60s'",
  'set idle_in_transaction_session_timeout = 0',
  // Servers before 17 have none.
  "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'",
].join('; ')

/** A connection outside every pool: a backup takes minutes, and the service's connections are counted. The signal cuts it. */
export async function connectForCopy(
  connection: pg.ClientConfig,
  signal: AbortSignal | undefined,
): Promise<pg.Client> {
  signal?.throwIfAborted()
  const client = await connect({
    ...connection,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    application_name: 'catalog-backup',
  })
  signal?.addEventListener('abort', () => void client.end().catch(() => {}), { once: true })
  try {
    await client.query(settings)
    // The server then notices within a second that we were killed, also at work that sends us nothing. Not every system can.
    await client.query("set client_connection_check_interval = '1s'").catch(() => {})
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
