import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { ensureBundled } from '../src/cli/bundle/make-bundle.ts'
import { ensureConsoleBuilt } from '../src/console/ensure-built.ts'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { reachServer } from '../src/database/reach.ts'
import { raw } from '../src/database/sql.ts'
import { inDatabase } from './test-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that all tests share; each test makes projects of its own in it. */
    connection: pg.ClientConfig
    /** The name of a migrated database to copy; nobody connects to it. */
    template: string
  }
}

/** The server of TEST_DATABASE_URL, or an embedded one that lives as long as the tests. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Tests that start bin/catalog run what users run.
  await ensureBundled((line) => console.error(line))
  await ensureConsoleBuilt((line) => console.error(line))
  const databaseUrl = process.env['TEST_DATABASE_URL']
  const folder = mkdtempSync(join(tmpdir(), 'catalog-test-'))
  chmodSync(folder, 0o755)
  const server = await reachServer(databaseUrl === undefined ? { dataDirectory: folder } : { databaseUrl })
  const admin = openDatabase({ connection: server.connection, poolSize: 1, statementTimeoutSeconds: 0 })
  const shared = `catalog_test_${process.pid}_${Date.now()}`
  const template = `${shared}_template`

  async function tearDown(): Promise<void> {
    for (const name of [shared, template])
      await admin.query(raw(`drop database if exists ${name} with (force)`))
    await admin.close()
    await server.release()
    rmSync(folder, { recursive: true, force: true })
  }

  try {
    await admin.query(raw(`create database ${template}`))
    await migrateAndLeave(inDatabase(server.connection, template))
    await admin.query(raw(`create database ${shared} template ${template}`))
  } catch (error) {
    // A migration that fails must not leave a server behind.
    await tearDown()
    throw error
  }
  provide('connection', inDatabase(server.connection, shared))
  provide('template', template)
  return tearDown
}

async function migrateAndLeave(connection: pg.ClientConfig): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  await migrate(database).finally(() => database.close())
}
