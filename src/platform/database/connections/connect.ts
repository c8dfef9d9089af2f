import pg from 'pg'
import type { Queryable } from '../database.ts'

/** Opens a connection outside every pool. If that fails halfway, the socket is closed, because it would keep the process alive. */
export async function connect(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    void client.end().catch(() => {})
    throw error
  }
}

export function queryableOf(client: pg.ClientBase): Queryable {
  return { query: async ({ text, values }) => (await client.query({ text, values })).rows }
}
