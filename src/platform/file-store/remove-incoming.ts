import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Removes what interrupted uploads left in the folder for incoming files. A file in use is younger, because it grows. */
export async function removeIncoming(folder: string, olderThanSeconds: number): Promise<void> {
  const names = await readdir(folder).catch((): string[] => [])
  for (const name of names) {
    const path = join(folder, name)
    // Another process may remove it at the same time.
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && Date.now() - found.mtimeMs >= olderThanSeconds * 1000)
      await rm(path, { recursive: true, force: true })
  }
}
