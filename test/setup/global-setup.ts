import { rmSync } from 'node:fs'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { runBuild } from '../../scripts/build/run-build.ts'
import { reachServer } from '../../src/platform/database/connections/reach-server.ts'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { superuser } from '../../src/platform/database/embedded/cluster.ts'
import { leaseEmbeddedServer } from '../../src/platform/database/embedded/lease.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { raw, sql } from '../../src/platform/database/sql.ts'
import { inDatabase } from '../database/test-database.ts'
import { copyFolder, createFolder, dataParent } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database that all tests share; each test creates its own projects. */
    connection: pg.ClientConfig
    /** The prefix of all database names of this run. */
    prefix: string
    /** The name of a migrated database to copy, which has no connections. */
    template: string
    /** The folder that contains the media folders of all databases. */
    mediaParent: string
    /** A data folder with the schema to copy, which has no running server. */
    dataFolder: string
  }
}

const undo: (() => Promise<unknown> | unknown)[] = []

async function tearDown(): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step()
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  // Tests that start bin/catalog run what users run.
  runBuild()
  try {
    const dataFolder = await createDataFolder()
    provide('dataFolder', dataFolder)
    provide('mediaParent', folderOfRun())
    const { prefix, connection, template } = await createDatabases(dataFolder)
    provide('prefix', prefix)
    provide('connection', connection)
    provide('template', template)
  } catch (error) {
    // A migration that fails must not leave a server behind.
    await tearDown()
    throw error
  }
  return tearDown
}

function folderOfRun(): string {
  const folder = createFolder(dataParent())
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The first start, shared by all tests that do not test it: initdb and the migrations take long. */
async function createDataFolder(): Promise<string> {
  const folder = folderOfRun()
  const { connection, release } = await leaseEmbeddedServer(folder)
  await migrateDatabase(connection).finally(release)
  return folder
}

/** On the server of TEST_DATABASE_URL, or on an embedded one that runs as long as the tests. */
async function createDatabases(dataFolder: string) {
  const databaseUrl = process.env['TEST_DATABASE_URL']
  const server = await reachServer(
    databaseUrl === undefined ? { dataDirectory: copyFolder(dataFolder, folderOfRun()) } : { databaseUrl },
  )
  undo.push(() => server.release())
  const admin = openDatabase({ connection: server.connection, poolSize: 1, statementTimeoutSeconds: 0 })
  if (databaseUrl === undefined) await speedUpConnections(admin, server.connection)
  const prefix = `catalog_test_${process.pid}_${Date.now()}`
  // The embedded server is deleted with its data.
  if (databaseUrl === undefined) await skipMaintenance(admin)
  undo.push(async () => {
    if (databaseUrl !== undefined) await dropAll(admin, prefix)
    await admin.close()
  })
  const template = `${prefix}_template`
  await admin.query(raw(`create database ${template}`))
  await migrateDatabase(inDatabase(server.connection, template))
  await admin.query(raw(`create database ${prefix}_shared template ${template}`))
  return { prefix, connection: inDatabase(server.connection, `${prefix}_shared`), template }
}

/** Tests open thousands of connections. The hash iterations of the password check take a third of the time to open one. */
async function speedUpConnections(admin: Database, { password }: pg.ClientConfig): Promise<void> {
  if (typeof password !== 'string') throw new Error('the embedded server has no password')
  await admin.query(raw('set scram_iterations = 1'))
  await admin.query(raw(`alter role ${superuser} password '${password}'`))
}

/** A short-lived server needs no vacuum and no checkpoint. */
async function skipMaintenance(admin: Database): Promise<void> {
  await admin.query(raw('alter system set autovacuum = off'))
  await admin.query(raw("alter system set checkpoint_timeout = '1h'"))
  await admin.query(raw("alter system set max_wal_size = '4GB'"))
  await admin.query(raw('select pg_reload_conf()'))
}

async function dropAll(admin: Database, prefix: string): Promise<void> {
  const created = await admin.query(
    sql<{ name: string }>`select datname as name from pg_database where starts_with(datname, ${prefix})`,
  )
  for (const { name } of created) await admin.query(raw(`drop database if exists ${name} with (force)`))
}

async function migrateDatabase(connection: pg.ClientConfig): Promise<void> {
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  await migrate(database).finally(() => database.close())
}
