import type pg from 'pg'
import { afterAll, inject } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { raw } from '../src/database/sql.ts'

/** The same server, another database. */
export function inDatabase({ connectionString, ...rest }: pg.ClientConfig, name: string): pg.ClientConfig {
  if (connectionString === undefined) return { ...rest, database: name }
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return { connectionString: url.href }
}

/** A migrated database for the tests of one file alone; it is gone afterwards. */
export async function ownDatabase(purpose: string): Promise<pg.ClientConfig> {
  const name = `catalog_${purpose}_${process.pid}`
  const admin = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 0 })
  await admin.query(raw(`create database ${name}`))
  afterAll(async () => {
    await admin.query(raw(`drop database if exists ${name} with (force)`))
    await admin.close()
  })
  const connection = inDatabase(inject('connection'), name)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  await migrate(database)
  await database.close()
  return connection
}

/** As a user would name it in DATABASE_URL. */
export function connectionUrl({ connectionString, host, user, password, database }: pg.ClientConfig): string {
  const socket = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  return connectionString ?? socket
}
