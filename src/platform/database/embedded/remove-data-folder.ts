import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { postmasterPid } from './lock-file.ts'
import { removePartialFolders } from './partial-folder.ts'
import { stopServer } from './repair-server.ts'

/** Removes an unused data folder, and stops a server that a killed process left there. */
export async function removeDataFolder(dataDirectory: string): Promise<void> {
  if (!existsSync(dataDirectory)) return
  removePartialFolders(dataDirectory)
  const cluster = { folder: join(dataDirectory, 'postgres'), password: '' }
  await stopServer({ cluster })
  if (postmasterPid(cluster.folder) !== undefined)
    throw new Error(`the PostgreSQL in ${cluster.folder} does not stop; stop it, then run the command again`)
  rmSync(dataDirectory, { recursive: true, force: true })
}
