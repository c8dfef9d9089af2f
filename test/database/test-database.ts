import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { inject } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { raw } from '../../src/platform/database/sql.ts'

/** Another database on the same server. */
export function inDatabase({ connectionString, ...rest }: pg.ClientConfig, name: string): pg.ClientConfig {
  if (connectionString === undefined) return { ...rest, database: name }
  const url = new URL(connectionString)
  url.pathname = `/${name}`
  return { ...rest, connectionString: url.href }
}

/** A migrated database for one file. It is deleted after the run, because deletions slow down the creation of other databases. */
export function ownDatabase(purpose: string): Promise<pg.ClientConfig> {
  return createDatabase(purpose, inject('template'))
}

/** A database without a schema. */
export function emptyDatabase(purpose: string): Promise<pg.ClientConfig> {
  return createDatabase(purpose, 'template1')
}

async function createDatabase(purpose: string, template: string): Promise<pg.ClientConfig> {
  const name = `${inject('prefix')}_${purpose}_${randomUUID().slice(0, 8)}`
  const admin = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 0 })
  await admin.query(raw(`create database ${name} template ${template}`))
  await admin.close()
  return inDatabase(inject('connection'), name)
}

/** The connection as a value for DATABASE_URL. */
export function connectionUrl({ connectionString, host, user, password, database }: pg.ClientConfig): string {
  const socket = `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
  return connectionString ?? socket
}
