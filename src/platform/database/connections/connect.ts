import pg from 'pg'
import type { Queryable } from '../database.ts'

/** A connection of its own, outside every pool. One that was refused half-way would keep its socket, and the process with it. */
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
