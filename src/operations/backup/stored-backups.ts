import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupPlan } from './backup-plan.ts'

export type StoredBackup = { file: string; at: Date }

const name = /^catalog-(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)\.backup$/
const partialName = /^catalog-[\dT.Z-]+\.backup\.[0-9a-f]{8}\.partial$/

/** The name contains the time, because a copied file has a new modification time. */
export function backupFileName(at: Date): string {
  return `catalog-${at.toISOString().replaceAll(':', '')}.backup`
}

/** Lists scheduled backups, oldest first, and ignores other files in the folder. */
export function listStoredBackups(folder: string): StoredBackup[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, day, hours, minutes, rest] = name.exec(file) ?? []
      return rest === undefined ? [] : [{ file, at: new Date(`${day}${hours}:${minutes}:${rest}`) }]
    })
}

/** Ignores backups with a date in the future, which a wrong clock causes. */
export function findNewestBackup(folder: string, now = new Date()): StoredBackup | undefined {
  return listStoredBackups(folder).findLast(({ at }) => at <= now)
}

/** Backups with a date in the future are counted separately, so that they do not displace the newest one. */
export function removeOldest({ folder, keep }: BackupPlan, now = new Date()): void {
  const { past = [], ahead = [] } = Object.groupBy(listStoredBackups(folder), ({ at }) =>
    at <= now ? 'past' : 'ahead',
  )
  for (const { file } of [...past.slice(0, -keep), ...ahead.slice(0, -keep)])
    rmSync(join(folder, file), { force: true })
}

/** Removes files of a killed process. While this process owns the schedule, no other process writes here. */
export function removePartial(folder: string): void {
  for (const file of readdirSync(folder))
    if (partialName.test(file)) rmSync(join(folder, file), { force: true })
}
