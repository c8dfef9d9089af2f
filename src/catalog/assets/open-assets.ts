import { assetLimits } from '../../model/limits/assets.ts'
import { batchReads } from '../../platform/database/batching/batch-reads.ts'
import type { Database } from '../../platform/database/database.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { type FetchSettings, fileFetcher } from '../../platform/outbound/fetch-file.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import { openMediaStore } from '../media-store/media-store.ts'
import { publicFileRead } from './public-file.sql.ts'

export type Assets = ReturnType<typeof openAssets>

/** What all routes with files share. Callers beyond a limit do not wait, because each holds a file. */
export function openAssets(database: Database, files?: FileStore, fetching?: FetchSettings) {
  return {
    database,
    media: openMediaStore(database, files),
    findFile: batchReads(database, publicFileRead),
    fetcher: fileFetcher(fetching),
    uploads: limitConcurrency({
      ...{ most: assetLimits.uploads, maxPerProject: assetLimits.uploadsOfProject, maxWaitSeconds: 0 },
    }),
    downloads: limitConcurrency({
      ...{ most: assetLimits.downloads, maxPerProject: assetLimits.downloadsOfProject, maxWaitSeconds: 0 },
    }),
  }
}
