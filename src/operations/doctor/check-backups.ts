import { existsSync } from 'node:fs'
import { millisecondsOf } from '../../platform/units.ts'
import { type BackupPlan, backupPlan } from '../backup/backup-plan.ts'
import { newestKept } from '../backup/kept-backups.ts'
import { type Check, type Finding, ok, warning } from './check.ts'

const advice = 'see the log of the service for the word "backup", and the room on that disk'

export const backupsCheck: Check = {
  name: 'backups',
  run: ({ config }) => {
    const plan = backupPlan(config)
    return plan === undefined
      ? ok('none on a schedule; "serve --backup-every 6h" makes them')
      : judgeBackups(plan, new Date())
  },
}

export function judgeBackups({ folder, everySeconds }: BackupPlan, now: Date): Finding {
  if (!existsSync(folder)) return ok(`the next start makes ${folder}, and the first backup in it`)
  const newest = newestKept(folder, now)
  if (newest === undefined) return warning(`there is none yet in ${folder}`, advice)
  const hours = (now.getTime() - newest.at.getTime()) / millisecondsOf.hour
  const detail = `the newest in ${folder} is ${hours.toFixed(1)} hours old`
  return hours * 3600 > 2 * everySeconds ? warning(detail, advice) : ok(detail)
}
