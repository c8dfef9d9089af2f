import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { countWrongCounts } from '../src/catalog/products/product-counts.sql.ts'
import { openBackup } from '../src/operations/backup/open-backup.ts'
import { restoreBackup } from '../src/operations/backup/restore-backup.ts'
import type { RestoreOptions } from '../src/operations/backup/restore-rows.ts'
import { saveBackup } from '../src/operations/backup/save-backup.ts'
import { openDatabase } from '../src/platform/database/database.ts'
import { raw, sql } from '../src/platform/database/sql.ts'
import { fillProject } from './fill.ts'
import { onTemporaryDatabase } from './servers/temporary-database.ts'

/*
 * Measures the time of a backup and a restore, the file size, and the peak memory of the process:
 *   npx node bench/backup.ts --products 1000000
 */

const { values: options } = parseArgs({
  options: {
    products: { type: 'string', default: '1000000' },
    /** Set by this program for the processes that it measures. */
    step: { type: 'string' },
    connection: { type: 'string', default: '{}' },
    file: { type: 'string', default: '' },
  },
})
const steps = {
  backup: saveBackup,
  restore: async (connection: pg.ClientConfig, file: string, options: RestoreOptions) =>
    restoreBackup(connection, await openBackup(file), options),
}

if (options.step === 'backup' || options.step === 'restore') {
  const began = performance.now()
  await steps[options.step](JSON.parse(options.connection), options.file, { report: console.error })
  const seconds = (performance.now() - began) / 1000
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
  const cpu = (userCPUTime + systemCPUTime) / 1e6
  console.log(
    `${options.step}: ${seconds.toFixed(1)} s (${cpu.toFixed(1)} s of processor time without PostgreSQL), peak memory ${(maxRSS / 1024).toFixed(0)} MiB`,
  )
} else await measure(Number(options.products))

async function measure(products: number): Promise<void> {
  await onTemporaryDatabase(async (database, connection, folder) => {
    const [project] = await database.query(sql<{ id: number }>`
      insert into projects (name, plan, currency) values ('Saved', 'pro', 'EUR') returning id`)
    await fillProject(database, project?.id as number, products, false)
    const [size] = await database.query(
      sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`,
    )
    const file = join(folder, 'one.backup')
    runStep('backup', connection, file)
    await database.query(raw('create database restored'))
    const target = { ...connection, database: 'restored' }
    runStep('restore', target, file)
    const restored = openDatabase({ connection: target, poolSize: 1, statementTimeoutSeconds: 0 })
    const wrong = await countWrongCounts(restored)
    await restored.close()
    console.log(
      `${products} products: database ${mebibytes(size?.bytes ?? 0)} MiB, file ${mebibytes(statSync(file).size)} MiB, wrong counts in the copy: ${wrong}`,
    )
  })
}

function runStep(step: string, connection: pg.ClientConfig, file: string): void {
  const own = ['--step', step, '--connection', JSON.stringify(connection), '--file', file]
  const program = fileURLToPath(import.meta.url)
  execFileSync(process.execPath, [program, ...own], { stdio: 'inherit' })
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0)
}
