import { rmSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../src/database/database.ts'
import { leaseEmbeddedServer } from '../src/database/embedded/lease.ts'
import { migrate } from '../src/database/migrate.ts'
import { makeFolder } from './temporary-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the schema, to copy; nobody starts a server in it. */
    dataFolder: string
  }
}

/** The first start that all tests share which are not about a first start: initdb and the migrations take long. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const folder = makeFolder()
  const tearDown = () => rmSync(folder, { recursive: true, force: true })
  try {
    await startOnce(folder)
  } catch (error) {
    tearDown()
    throw error
  }
  provide('dataFolder', folder)
  return tearDown
}

async function startOnce(folder: string): Promise<void> {
  const { connection, release } = await leaseEmbeddedServer(folder)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  try {
    await migrate(database)
  } finally {
    await database.close()
    await release()
  }
}
