import { join } from 'node:path'
import type pg from 'pg'
import { inject } from 'vitest'

/** The media folder of a database, because a database accepts only one. It is removed after the run. */
export function mediaFolder({ connectionString, database }: pg.ClientConfig): string {
  const name = connectionString === undefined ? database : new URL(connectionString).pathname.slice(1)
  return join(inject('mediaParent'), String(name))
}
