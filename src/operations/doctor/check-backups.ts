import { existsSync } from 'node:fs'
import { millisecondsOf } from '../../platform/units.ts'
import { type BackupPlan, backupPlan } from '../backup/backup-plan.ts'
import { findNewestBackup } from '../backup/stored-backups.ts'
import { type Check, type Finding, ok, warning } from './check.ts'

const advice = 'search the service log for "backup", and check the free space on that disk'

export const backupsCheck: Check = {
  name: 'backups',
  run: ({ config }) => {
    const plan = backupPlan(config)
    return plan === undefined
      ? ok('no backups are scheduled; "catalog serve --backup-every 6h" schedules them')
      : judgeBackups(plan, new Date())
  },
}

export function judgeBackups({ folder, everySeconds }: BackupPlan, now: Date): Finding {
  if (!existsSync(folder)) return ok(`${folder} does not exist yet; the service creates it at the next start`)
  const newest = findNewestBackup(folder, now)
  if (newest === undefined) return warning(`no backup in ${folder} yet`, advice)
  const hours = (now.getTime() - newest.at.getTime()) / millisecondsOf.hour
  const detail = `the newest backup in ${folder} is ${hours.toFixed(1)} hours old`
  return hours * 3600 > 2 * everySeconds ? warning(detail, advice) : ok(detail)
}
