import { expect } from 'vitest'
import { sql } from '../src/platform/database/sql.ts'
import type { TestService } from './harness.ts'

/** Waits until the service has prepared the lines of a proposal. It queries the database, because a request takes ten times as long. */
export async function untilPrepared({ database }: TestService, id: number): Promise<void> {
  const preparing = sql`select from proposals where id = ${id} and state = 'preparing'`
  await expect.poll(() => database.query(preparing)).toEqual([])
}
