import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { locateDataDirectory } from '../../platform/database/embedded/data-directory.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { openFileStore } from '../../platform/file-store/open-file-store.ts'

type MediaConfig = Pick<Config, 'media' | 'mediaAccessKey' | 'mediaSecretKey'>

/** The configured store of media files, or the folder next to the embedded server. Nothing is read or created yet. */
export function openMediaFiles(
  { media, mediaAccessKey: accessKey, mediaSecretKey: secretKey }: MediaConfig,
  dataDirectory?: string,
): FileStore | undefined {
  const place = media ?? (dataDirectory && join(dataDirectory, 'media'))
  return openFileStore({ place, accessKey, secretKey })
}

/** The store that a service with this configuration uses. */
export function findMediaFiles(config: Config): FileStore | undefined {
  return openMediaFiles(config, config.databaseUrl === undefined ? locateDataDirectory(config) : undefined)
}

export function requireMediaFiles(config: Config): FileStore {
  const store = findMediaFiles(config)
  if (store !== undefined) return store
  throw new Error('no store is configured; set CATALOG_MEDIA to a folder or to an S3 bucket')
}
