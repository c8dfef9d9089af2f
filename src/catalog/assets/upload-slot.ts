import type { FileStore } from '../../platform/file-store/file-store.ts'
import { Problem } from '../../platform/http/problems.ts'
import type { Assets } from './open-assets.ts'

/** Receives a file while the project has fewer uploads than its limit, and while the store accepts files. */
export async function withUploadSlot<Result>(
  { media, uploads }: Pick<Assets, 'media' | 'uploads'>,
  projectId: number,
  work: (store: FileStore) => Promise<Result>,
): Promise<Result> {
  const leave = uploads.tryEnter(projectId)
  if (leave === undefined)
    throw new Problem('too_busy', {
      detail:
        'Other uploads are still arriving. Nothing of this upload was stored. Try again after the number of seconds in Retry-After.',
    })
  try {
    const store = await media.require()
    const shortage = await store.findShortage()
    if (shortage !== undefined)
      throw new Problem('media_unavailable', { detail: 'The store for media files is full.' })
    return await work(store)
  } finally {
    leave()
  }
}
