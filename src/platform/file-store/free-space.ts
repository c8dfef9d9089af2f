import type { StatsFs } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileStoreLimits } from '../limits/files.ts'
import { mebibyte } from '../units.ts'

/** Why the disk of a folder accepts no files. */
export async function findShortage(folder: string): Promise<string | undefined> {
  const { bavail, bsize } = await statNearest(folder)
  return bavail * bsize < fileStoreLimits.reservedBytes
    ? `less than ${fileStoreLimits.reservedBytes / mebibyte} MiB are free for ${folder}`
    : undefined
}

/** The first upload creates the folder. */
async function statNearest(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return statNearest(dirname(folder))
  }
}
