import { randomBytes } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { sql, write } from '../database/sql.ts'

const name = 'auth'

/** The secret that signs the cookies: from the configuration, or made once and stored in the database for every process on it. */
export function authSecret(database: Queryable, configured: string | undefined): () => Promise<string> {
  let kept: Promise<string> | undefined
  return () => {
    if (configured !== undefined) return Promise.resolve(configured)
    kept ??= readSecret(database).catch((error) => {
      kept = undefined
      throw error
    })
    return kept
  }
}

async function readSecret(database: Queryable): Promise<string> {
  const found = await findSecret(database)
  if (found !== undefined) return found
  const made = randomBytes(32).toString('base64url')
  const statement = sql`insert into secrets (name, value) values (${name}, ${made}) on conflict do nothing`
  await database.query(write(statement))
  return (await findSecret(database)) as string
}

async function findSecret(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query(sql<{ value: string }>`select value from secrets where name = ${name}`)
  return row?.value
}
