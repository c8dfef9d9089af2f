import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupPlan } from './backup-plan.ts'

export type KeptBackup = { file: string; at: Date }

const name = /^catalog-(\d{4}-\d\d-\d\dT)(\d\d)(\d\d)(\d\d\.\d{3}Z)\.backup$/
const partialName = /^catalog-[\dT.Z-]+\.backup\.[0-9a-f]{8}\.partial$/

/** The time stands in the name, because a copy of a file has another time of its own. */
export function nameOfBackup(at: Date): string {
  return `catalog-${at.toISOString().replaceAll(':', '')}.backup`
}

/** Those that a schedule has made, oldest first. Whatever else is in the folder is not ours. */
export function listKept(folder: string): KeptBackup[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((file) => {
      const [, day, hours, minutes, rest] = name.exec(file) ?? []
      return rest === undefined ? [] : [{ file, at: new Date(`${day}${hours}:${minutes}:${rest}`) }]
    })
}

/** One that is dated ahead, by a clock that was wrong, does not count. */
export function newestKept(folder: string, now = new Date()): KeptBackup | undefined {
  return listKept(folder).findLast(({ at }) => at <= now)
}

/** Those that are dated ahead are counted apart: they must not take the place of the one that was just made. */
export function removeOldest({ folder, keep }: BackupPlan, now = new Date()): void {
  const { past = [], ahead = [] } = Object.groupBy(listKept(folder), ({ at }) =>
    at <= now ? 'past' : 'ahead',
  )
  for (const { file } of [...past.slice(0, -keep), ...ahead.slice(0, -keep)])
    rmSync(join(folder, file), { force: true })
}

/** What a killed process left. Nobody else writes there while the schedule is ours. */
export function removePartial(folder: string): void {
  for (const file of readdirSync(folder))
    if (partialName.test(file)) rmSync(join(folder, file), { force: true })
}
