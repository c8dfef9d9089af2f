import { compareFiles } from '../../catalog/media-store/compare-files.ts'
import { openMediaFiles } from '../../catalog/media-store/media-files.ts'
import { findKnownStore, hasAssets } from '../../catalog/media-store/media-store.sql.ts'
import { findRemovalBlock, findStoreProblem } from '../../catalog/media-store/media-store.ts'
import { type StoredOriginal, sampleOriginals } from '../../catalog/media-store/stored-files.sql.ts'
import { sql } from '../../platform/database/sql.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { openImageProcess } from '../../platform/images/image-process.ts'
import { doctorLimits } from '../limits.ts'
import { type Check, type Finding, failure, ok, onDatabase, warning } from './check.ts'

/** Whether the store is configured, belongs to the database, and has space. Nothing is created. */
export const mediaCheck: Check = onDatabase('media files', async (database, { config, dataDirectory }) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('media_store') is not null as found`,
  )
  if (table?.found !== true) return ok('not checked until the migrations are applied')
  const store = openMediaFiles(config, config.databaseUrl === undefined ? dataDirectory : undefined)
  const setStore = 'set CATALOG_MEDIA to a folder or to an S3 bucket'
  if (store === undefined)
    return (await hasAssets(database))
      ? failure('the database has media files, but no store is configured', setStore)
      : ok(`no store is configured, so uploads return 503; to accept files, ${setStore}`)
  const problem = await findStoreProblem(await findKnownStore(database), store)
  if (problem !== undefined)
    return failure(
      problem,
      'set CATALOG_MEDIA to the store that this database used before; if it moved, run "catalog media adopt"',
    )
  const shortage = await store.findShortage()
  if (shortage !== undefined) return failure(shortage, 'free up space; uploads return 503 until then')
  const block = await findRemovalBlock(database)
  if (block !== undefined) return warning(block.detail, block.advice)
  return judgeFiles(await sampleOriginals(database, doctorLimits.comparedFiles), store)
})

async function judgeFiles(sample: StoredOriginal[], store: FileStore): Promise<Finding> {
  const { files, missing, example } = await compareFiles([sample], store)
  if (missing === 0)
    return ok(`stored in ${store.description}; compared ${files} ${files === 1 ? 'file' : 'files'}`)
  return failure(
    `${missing} of ${files} compared files are missing or incomplete in ${store.description}, such as ${example}`,
    'copy the files from a backup, or upload them again',
  )
}

export const thumbnailsCheck: Check = {
  name: 'thumbnails',
  run: async () => {
    const images = openImageProcess()
    const problem = await images.findProblem().finally(images.close)
    return problem === undefined
      ? ok('images can be decoded')
      : warning(
          'images cannot be decoded, so no thumbnail is made',
          'install the optional package "sharp" for this system ("npm ci" without --omit=optional)',
        )
  },
}
