import pg from 'pg'
import { connections, type Measured, summarize } from './load.ts'

export type Statement = { text: string; values: () => unknown[] }

type Page = { order?: string; offset?: () => number }

/** The prepared statement of an application without stored counts: count(*), limit and offset. */
export function countAndOffset(
  where: string,
  values: () => unknown[],
  { order = 'id', offset = () => 0 }: Page = {},
): Statement {
  const last = values().length + 1
  return {
    text: `
      select (select count(*) from products where ${where}) as count, page.* from (
        select id, sku, name, status, product_type, created_at, project_id from products
        where ${where} order by ${order} limit 20 offset $${last}
      ) as page`,
    values: () => [...values(), offset()],
  }
}

/** As many clients as the load on the service has, each with its own connection. */
export async function runPlainSql(
  connection: pg.ClientConfig,
  { text, values }: Statement,
  seconds: number,
): Promise<Measured> {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }),
  )
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  await Promise.all(
    clients.map(async (client) => {
      for (let now = performance.now(); now < end; now = performance.now()) {
        await client.query({ name: 'read', text, values: values() })
        times.push(performance.now() - now)
      }
    }),
  )
  await Promise.all(clients.map((client) => client.end()))
  return summarize(times, seconds)
}
