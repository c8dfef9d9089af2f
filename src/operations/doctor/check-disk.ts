import { existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Check, type Finding, failure, ok, warning } from './check.ts'

const gibibyte = 1024 ** 3
const scarceBytes = 2 * gibibyte
const fullBytes = gibibyte / 4

export const diskCheck: Check = {
  name: 'disk',
  run: ({ dataDirectory }) => {
    const { bavail, bsize } = statfsSync(nearestExisting(dataDirectory))
    return judgeDisk(bavail * bsize, dataDirectory)
  },
}

export function judgeDisk(freeBytes: number, folder: string): Finding {
  const detail = `${(freeBytes / gibibyte).toFixed(1)} GiB free for ${folder}`
  const advice = 'make room, or move the data folder; writes answer 503 on a full disk'
  if (freeBytes < fullBytes) return failure(detail, advice)
  return freeBytes < scarceBytes ? warning(detail, advice) : ok(detail)
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}
