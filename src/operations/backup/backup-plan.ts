import { accessSync, constants, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from '../../config.ts'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import { secondsByLetter } from '../../platform/units.ts'

/** The interval of backups, how many are kept, and where. */
export type BackupPlan = { everySeconds: number; keep: number; folder: string }

type PlanConfig = Pick<
  Config,
  'backupEvery' | 'backupKeep' | 'backupDirectory' | 'databaseUrl' | 'dataDirectory'
>

/** Undefined if no backups are scheduled. */
export function backupPlan(config: PlanConfig): BackupPlan | undefined {
  const { backupEvery, backupKeep, backupDirectory, databaseUrl } = config
  if (backupEvery === undefined) {
    if (backupDirectory === undefined) return undefined
    throw new Error('--backup-dir requires --backup-every')
  }
  if (backupDirectory === undefined && databaseUrl !== undefined)
    throw new Error('with DATABASE_URL, --backup-every requires --backup-dir')
  const [, count, unit = 's'] = /^(\d+)([smhd])$/.exec(backupEvery) ?? []
  return {
    everySeconds: Number(count) * (secondsByLetter[unit] ?? 1),
    keep: backupKeep,
    folder: resolve(backupDirectory ?? join(locateDataDirectory(config), 'backups')),
  }
}

/** Creates the folder for this user only. A service that cannot write to it must not start. */
export function prepareFolder({ folder }: BackupPlan): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    accessSync(folder, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(
      `cannot write backups to ${folder} (${(error as Error).message}); choose another folder with --backup-dir`,
    )
  }
}
