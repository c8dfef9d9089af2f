import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { gibibyte } from '../../platform/units.ts'
import { doctorLimits } from '../limits.ts'
import { type Check, type Finding, failure, ok, warning } from './check.ts'

export const diskCheck: Check = {
  name: 'disk',
  run: ({ dataDirectory }) => {
    const { bavail, bsize } = statfsSync(nearestExisting(dataDirectory))
    return judgeDisk(bavail * bsize, dataDirectory)
  },
}

export function judgeDisk(freeBytes: number, folder: string): Finding {
  const detail = `${(freeBytes / gibibyte).toFixed(1)} GiB free for ${folder}`
  const advice = 'free up space or move the data folder; writes return 503 on a full disk'
  if (freeBytes < doctorLimits.fullBytes) return failure(detail, advice)
  return freeBytes < doctorLimits.scarceBytes ? warning(detail, advice) : ok(detail)
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}
