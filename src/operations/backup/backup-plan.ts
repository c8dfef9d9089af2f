import { accessSync, constants, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import { secondsByLetter } from '../../platform/units.ts'

/** When backups are made, how many are kept, and where. */
export type BackupPlan = { everySeconds: number; keep: number; folder: string }

type PlanConfig = Pick<
  Config,
  'backupEvery' | 'backupKeep' | 'backupDirectory' | 'databaseUrl' | 'dataDirectory'
>

/** Undefined where no backups are asked for. */
export function backupPlan(config: PlanConfig): BackupPlan | undefined {
  const { backupEvery, backupKeep, backupDirectory, databaseUrl } = config
  if (backupEvery === undefined) {
    if (backupDirectory === undefined) return undefined
    throw new Error('--backup-dir is where --backup-every writes; give both, or neither')
  }
  if (backupDirectory === undefined && databaseUrl !== undefined)
    throw new Error(
      'beside DATABASE_URL there is no data folder; say with --backup-dir where --backup-every writes',
    )
  const [, count, unit = 's'] = /^(\d+)([smhd])$/.exec(backupEvery) ?? []
  return {
    everySeconds: Number(count) * (secondsByLetter[unit] ?? 1),
    keep: backupKeep,
    folder: resolve(backupDirectory ?? join(locateDataDirectory(config), 'backups')),
  }
}

/** Makes the folder, for us alone; a service that could never write there does not start. */
export function prepareFolder({ folder }: BackupPlan): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `backups cannot be written to ${folder} (${(error as Error).message}); choose another folder with --backup-dir`,
    )
  }
}
