import { originalFile } from '../../model/assets/asset-urls.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { fileStoreLimits } from '../../platform/limits/files.ts'
import { limitConcurrency } from '../../platform/scheduling/concurrency-limit.ts'
import type { StoredOriginal } from './stored-files.sql.ts'

export type FileComparison = {
  files: number
  /** Assets whose file does not exist or has another size. */
  missing: number
  /** The path of one of them. */
  example: string | undefined
}

/** Looks for the files of assets in the store, by their size. */
export async function compareFiles(
  batches: AsyncIterable<StoredOriginal[]> | Iterable<StoredOriginal[]>,
  store: Pick<FileStore, 'sizeOf'>,
): Promise<FileComparison> {
  const lookups = limitConcurrency({
    ...{ most: fileStoreLimits.lookups, maxWaitSeconds: 0, maxWaiting: Number.POSITIVE_INFINITY },
  })
  const compared: FileComparison = { files: 0, missing: 0, example: undefined }
  const compare = async ({ project_id, hash, file, bytes }: StoredOriginal) => {
    const path = originalFile(project_id, hash, file)
    if ((await store.sizeOf(path)) === bytes) return
    compared.missing += 1
    compared.example ??= path
  }
  for await (const originals of batches) {
    await Promise.all(originals.map((original) => lookups.run(() => compare(original))))
    compared.files += originals.length
  }
  return compared
}
