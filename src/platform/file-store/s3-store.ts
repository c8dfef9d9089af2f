import { createHash } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { fileStoreLimits } from '../limits/files.ts'
import { limitConcurrency } from '../scheduling/concurrency-limit.ts'
import { checkPath, type FileSource, type FileStore, FileStoreFailure } from './file-store.ts'
import { findShortage } from './free-space.ts'
import type { S3Address } from './s3-address.ts'
import { type S3Keys, s3Requests } from './s3-requests.ts'

/** Objects of a bucket. Each request signs the hash of its body, so that the store rejects incomplete files. */
export function s3Store(address: S3Address, keys: S3Keys): FileStore {
  const { bucket, bucketUrl, prefix } = address
  const send = s3Requests(address, keys)
  // Uploads are complete before they are sent.
  const incoming = join(tmpdir(), `catalog-incoming-${process.getuid?.() ?? 0}`)
  const removals = limitConcurrency({
    ...{ most: fileStoreLimits.removals, maxWaitSeconds: 0, maxWaiting: Number.POSITIVE_INFINITY },
  })
  const urlOf = (path: string) => `${bucketUrl}/${prefix}${checkPath(path)}`

  /** The response, or undefined if the object does not exist. */
  async function expectSuccess(response: Response): Promise<Response | undefined> {
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status === 404) return undefined
    throw new FileStoreFailure(`the S3 bucket ${bucket}`, new Error(`it returned ${response.status}`))
  }

  async function remove(path: string): Promise<void> {
    const response = await expectSuccess(await send({ method: 'DELETE', url: urlOf(path) }))
    await response?.body?.cancel()
  }

  /** The first thousand paths of a folder. */
  async function list(folder: string): Promise<string[]> {
    const query = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}${checkPath(folder)}/` })
    const response = await expectSuccess(await send({ method: 'GET', url: `${bucketUrl}/?${query}` }))
    const names = [...((await response?.text()) ?? '').matchAll(/<Key>([^<]+)<\/Key>/g)]
    return names.map(([, name]) => String(name).slice(prefix.length))
  }

  return {
    description: `the S3 bucket ${bucket}`,
    incoming,
    async put(path, source) {
      const { body, sha256 } = await contentOf(source)
      const headers = { 'x-amz-content-sha256': sha256 }
      const response = await expectSuccess(await send({ method: 'PUT', url: urlOf(path), headers, body }))
      if (response === undefined)
        throw new FileStoreFailure(`the S3 bucket ${bucket}`, new Error('it does not exist'))
      await response.body?.cancel()
    },
    async get(path, range) {
      const headers: Record<string, string> =
        range === undefined ? {} : { range: `bytes=${range.start}-${range.end}` }
      const response = await expectSuccess(await send({ method: 'GET', url: urlOf(path), headers }))
      if (!response?.body) return undefined
      const bytes = Number(response.headers.get('content-length'))
      return { bytes, body: Readable.fromWeb(response.body as ReadableStream) }
    },
    async sizeOf(path) {
      const response = await expectSuccess(await send({ method: 'HEAD', url: urlOf(path) }))
      return response && Number(response.headers.get('content-length'))
    },
    remove,
    async removeFolder(path) {
      for (let paths = await list(path); paths.length > 0; paths = await list(path))
        await Promise.all(paths.map((one) => removals.run(() => remove(one))))
    },
    findShortage: () => findShortage(incoming),
  }
}

async function contentOf(source: FileSource): Promise<{ body: Blob; sha256: string }> {
  if ('file' in source) return { body: await openAsBlob(source.file), sha256: source.sha256 }
  const sha256 = createHash('sha256').update(source.bytes).digest('hex')
  return { body: new Blob([new Uint8Array(source.bytes)]), sha256 }
}
