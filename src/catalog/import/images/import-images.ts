import type { AssetKind } from '../../../model/assets/asset-types.ts'
import { type BodyError, Problem } from '../../../platform/http/problems.ts'
import { limitConcurrency } from '../../../platform/scheduling/concurrency-limit.ts'
import type { UploadedFile, UploadFile } from '../../assets/upload-file.ts'
import { fileLimits } from '../../limits.ts'

/** The images of an import. */
export type ImportImages = {
  /** Uploads an image, or returns why the service does not accept it. */
  add(name: string, open: () => AsyncIterable<Uint8Array>): Promise<UploadedFile | BodyError>
  /** The files that a dry run would upload, by hash. */
  pending: ReadonlyMap<string, AssetKind>
  count(): number
}

export function importImages(upload: UploadFile, isDry: boolean): ImportImages {
  const pending = new Map<string, AssetKind>()
  const slots = limitConcurrency({
    ...{ most: fileLimits.importUploads, maxWaitSeconds: 0, maxWaiting: Number.POSITIVE_INFINITY },
  })
  let uploaded = 0
  return {
    pending,
    count: () => uploaded,
    async add(name, open) {
      const file = await slots.run(() => tryFile(name, () => upload(open())))
      if ('code' in file) return file
      uploaded += 1
      if (isDry) pending.set(file.hash, file.kind)
      return file
    },
  }
}

/** Problems of the service or of the project, which all other files have too. */
const fatal = ['media_unavailable', 'storage_full', 'too_busy']

/** Returns why a file is not accepted. */
async function tryFile<File>(name: string, work: () => Promise<File>): Promise<File | BodyError> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || fatal.includes(error.problemCode)) throw error
    return { pointer: '', code: error.problemCode, message: `${name}: ${error.message}` }
  }
}
