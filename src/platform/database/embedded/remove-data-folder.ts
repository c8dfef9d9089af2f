import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { postmasterPid } from './lock-file.ts'
import { sweep } from './partial-folder.ts'
import { stop } from './repair-server.ts'

/** Removes a data folder that nobody uses. A process that was killed may have left its server there, which is stopped. */
export async function removeDataFolder(dataDirectory: string): Promise<void> {
  if (!existsSync(dataDirectory)) return
  sweep(dataDirectory)
  const cluster = { folder: join(dataDirectory, 'postgres'), password: '' }
  await stop({ cluster })
  if (postmasterPid(cluster.folder) !== undefined)
    throw new Error(`the PostgreSQL in ${cluster.folder} does not end; stop it, and run this again`)
  rmSync(dataDirectory, { recursive: true, force: true })
}
