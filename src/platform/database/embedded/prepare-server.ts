import { ensureCluster } from './cluster.ts'
import { chooseDataDirectory, refuseReadOnly, socketFolder } from './data-directory.ts'
import { findInstallation } from './installation.ts'
import { removePartialFolders } from './partial-folder.ts'
import type { Server } from './server-connection.ts'
import { serverUser } from './server-user.ts'

/** All that a server of the folder needs to be started; its first one makes the cluster. */
export function prepareServer(givenDirectory: string | undefined, isTemporary = false): Server {
  const user = serverUser()
  const dataDirectory = chooseDataDirectory(givenDirectory, user)
  refuseReadOnly(dataDirectory)
  removePartialFolders(dataDirectory)
  const installation = findInstallation(user, dataDirectory)
  const cluster = ensureCluster(dataDirectory, installation, user, isTemporary)
  const socket = socketFolder(dataDirectory, user)
  return { installation, user, cluster, socket, dataDirectory, isTemporary }
}
