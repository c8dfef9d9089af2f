import pg from 'pg'

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
