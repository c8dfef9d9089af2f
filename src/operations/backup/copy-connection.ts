import type pg from 'pg'
import { connect } from '../../platform/database/connections/connect.ts'

// Text output must not depend on server settings, and copying a table may exceed the statement timeout of the service.
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
  // Servers before 17 do not have this setting.
  "select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'",
].join('; ')

/** Connects outside the pool, because a backup takes minutes. The signal closes the connection. */
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
    // Lets the server notice within a second that this process was killed, if its system supports that.
    await client.query("set client_connection_check_interval = '1s'").catch(() => {})
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw error
  }
}
