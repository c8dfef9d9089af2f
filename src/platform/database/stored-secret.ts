import { randomBytes } from 'node:crypto'
import type { Queryable } from './database.ts'
import { sql, write } from './sql.ts'

/** A secret that is generated once and stored in the database for all processes: 32 random bytes in base64url. */
export function storedSecret(database: Queryable, name: string): () => Promise<string> {
  let kept: Promise<string> | undefined
  return () => {
    kept ??= readSecret(database, name).catch((error) => {
      kept = undefined
      throw error
    })
    return kept
  }
}

async function readSecret(database: Queryable, name: string): Promise<string> {
  const found = await findSecret(database, name)
  if (found !== undefined) return found
  const made = randomBytes(32).toString('base64url')
  const statement = sql`insert into secrets (name, value) values (${name}, ${made}) on conflict do nothing`
  await database.query(write(statement))
  return (await findSecret(database, name)) as string
}

export async function findSecret(database: Queryable, name: string): Promise<string | undefined> {
  const [row] = await database.query(sql<{ value: string }>`select value from secrets where name = ${name}`)
  return row?.value
}
