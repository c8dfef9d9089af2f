import { assetLimits } from '../../model/limits/assets.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { withTemporaryFile, writeChunks } from '../../platform/http/body/receive-file.ts'
import { Problem } from '../../platform/http/problems.ts'
import { type FileFetcher, NotFetched } from '../../platform/outbound/fetch-file.ts'
import { mebibyte } from '../../platform/units.ts'
import { inspectFile } from './inspect-file.ts'
import type { Assets } from './open-assets.ts'
import { type StoredAsset, storeAsset } from './store-asset.ts'

/** Makes the file at a URL an asset. No database connection is held while it is fetched. */
export function fetchAsset(
  { database, fetcher }: Pick<Assets, 'database' | 'fetcher'>,
  store: FileStore,
  projectId: number,
  url: string,
): Promise<StoredAsset> {
  return withTemporaryFile(store.incoming, async (path, handle) => {
    const file = await download(fetcher, url, (chunks) => writeChunks(handle, chunks, assetLimits.bytes))
    return storeAsset(database, store, projectId, { path, ...file, ...(await inspectFile(path)) })
  })
}

async function download<Result>(
  fetcher: FileFetcher,
  url: string,
  write: (chunks: AsyncIterable<Buffer>) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(assetLimits.fetchSeconds * 1000)
  try {
    const file = await fetcher.open(url, signal)
    return await write(file.body).finally(file.close)
  } catch (error) {
    if (signal.aborted) throw notReachable(`it did not arrive within ${assetLimits.fetchSeconds} seconds`)
    if (error instanceof NotFetched) throw notReachable(error.message)
    if (error instanceof Problem && error.problemCode === 'body_too_large')
      throw notReachable(`it is larger than ${assetLimits.bytes / mebibyte} MiB`)
    if (isBrokenOff(error)) throw notReachable('the connection was interrupted')
    throw error
  }
}

function isBrokenOff(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE'
}

function notReachable(reason: string): Problem {
  return new Problem('not_reachable', { detail: `The service could not fetch the file: ${reason}.` })
}
