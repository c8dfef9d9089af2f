import { createHash, randomBytes } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { FileStoreFailure } from '../../file-store/file-store.ts'
import { mebibyte } from '../../units.ts'
import { Problem } from '../problems.ts'
import { compileValidator } from '../request/validation.ts'
import { withoutTimeout } from '../request/without-timeout.ts'
import { watchPace } from './slow-bodies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is a file, which is not decompressed and not validated. */
    takesFile?: boolean
  }
}

/** A complete file in a temporary place. */
export type ReceivedFile = { path: string; bytes: number; sha256: string }

export type FileLimits = { folder: string; maxBytes: number }

/** Passes bodies of any type to the handlers, without parsing them. */
export function acceptFiles(
  app: Pick<FastifyInstance, 'removeAllContentTypeParsers' | 'addContentTypeParser' | 'setValidatorCompiler'>,
): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', async (_request: FastifyRequest, payload: IncomingMessage) => payload)
  app.setValidatorCompiler<TSchema>((part) =>
    part.httpPart === 'body' ? (body: unknown) => ({ value: body }) : compileValidator(part),
  )
}

/** Rejects a body that cannot become a file, before any of it is read. */
export function rejectUnreadableFile({ headers }: FastifyRequest, maxBytes: number): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': type } = headers
  if (encoding !== 'identity')
    throw new Problem('unsupported_media_type', {
      detail: 'Send the file as it is, without Content-Encoding.',
    })
  if (type === undefined)
    throw new Problem('unsupported_media_type', {
      detail: 'Send the type of the file in the Content-Type header, such as image/jpeg.',
    })
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw fileTooLarge(maxBytes)
}

/** Writes the body to a temporary file as it arrives, and removes that file after the work. */
export function withReceivedFile<Result>(
  request: FastifyRequest,
  { folder, maxBytes }: FileLimits,
  work: (file: ReceivedFile) => Promise<Result>,
): Promise<Result> {
  const { pushGraceMilliseconds } = request.server.timeLimits
  const payload = (request.body ?? request.raw) as Readable
  return withTemporaryFile(folder, async (path, handle) => {
    const file = await withoutTimeout(request, () =>
      writeChunks(handle, paced(payload, pushGraceMilliseconds), maxBytes),
    )
    return work({ path, ...file })
  })
}

/** A new file that only this process knows. It is removed after the work, unless the work moved it. */
export async function withTemporaryFile<Result>(
  folder: string,
  work: (path: string, handle: FileHandle) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, randomBytes(16).toString('hex'))
  const handle = await openNew(folder, path)
  try {
    return await work(path, handle)
  } finally {
    await handle.close()
    await rm(path, { force: true })
  }
}

async function openNew(folder: string, path: string): Promise<FileHandle> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await open(path, 'wx', 0o600)
  } catch (error) {
    throw new FileStoreFailure(`the folder ${folder}`, error)
  }
}

/** Writes at the pace of the disk, and hashes what it writes. */
export async function writeChunks(
  handle: FileHandle,
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > maxBytes) throw fileTooLarge(maxBytes)
    hash.update(chunk)
    await handle.write(chunk).catch((error) => {
      throw new FileStoreFailure('the folder for uploads', error)
    })
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** The chunks of a body. If the reader stops early, the body can still be read to its end. */
async function* paced(payload: Readable, graceMilliseconds: number): AsyncGenerator<Buffer> {
  let received = 0
  const slow = Promise.withResolvers<never>()
  slow.promise.catch(() => {})
  // Node reports a stream as paused while its iterator reads it, so this records when the service waits for bytes.
  let isReading = false
  const stopWatch = watchPace(
    () => isReading,
    graceMilliseconds,
    () => received,
    slow.reject,
  )
  const chunks = payload.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      isReading = true
      const { done, value } = await Promise.race([chunks.next(), slow.promise])
      isReading = false
      if (done === true) return
      received += value.length
      yield value
    }
  } catch (error) {
    throw error instanceof Problem ? error : new Problem('malformed_request')
  } finally {
    stopWatch()
  }
}

function fileTooLarge(maxBytes: number): Problem {
  return new Problem('body_too_large', {
    detail: `A file can be at most ${maxBytes / mebibyte} MiB in size.`,
  })
}
