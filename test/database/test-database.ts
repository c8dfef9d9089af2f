import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { raw } from '../../src/platform/database/sql.ts'

/** The same server, another database. */
export function inDatabase({ connectionString, ...rest }: pg.ClientConfig, name: string): pg.ClientConfig {
  if (connectionString === undefined) return { ...rest, database: name }
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return { ...rest, connectionString: url.href }
}

/** A migrated database for the tests of one file alone. It goes with the run: files that were just deleted make it slow to create others. */
export function ownDatabase(purpose: string): Promise<pg.ClientConfig> {
  return makeDatabase(purpose, inject('template'))
}

/** The same without a schema. */
export function emptyDatabase(purpose: string): Promise<pg.ClientConfig> {
  return makeDatabase(purpose, 'template1')
}

async function makeDatabase(purpose: string, template: string): Promise<pg.ClientConfig> {
  const name = `${inject('prefix')}_${purpose}_${randomUUID().slice(0, 8)}`
  const admin = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 0 })
  await admin.query(raw(`create database ${name} template ${template}`))
  await admin.close()
  return inDatabase(inject('connection'), name)
}

/** As a user would name it in DATABASE_URL. */
export function connectionUrl({ connectionString, host, user, password, database }: pg.ClientConfig): string {
  const socket = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  return connectionString ?? socket
}
