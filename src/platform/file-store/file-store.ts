import type { Readable } from 'node:stream'

/** What becomes a stored file: a local file, which the store may take, or bytes. */
export type FileSource = { file: string; sha256: string } | { bytes: Uint8Array }

/** Both ends are included. */
export type FileRange = { start: number; end: number }

export type StoredFile = {
  /** Of the range, if one was requested. */
  bytes: number
  body: Readable
}

/** Files by path. A file is complete or does not exist, and no file changes: every version has its own path. */
export type FileStore = {
  /** The folder or the bucket, without keys. */
  description: string
  /** The local folder in which a file is received before it is stored. */
  incoming: string
  put(path: string, source: FileSource): Promise<void>
  /** Undefined if no such file exists. The caller reads or destroys the body. */
  get(path: string, range?: FileRange): Promise<StoredFile | undefined>
  /** The size of a file; undefined if no such file exists. */
  sizeOf(path: string): Promise<number | undefined>
  /** Removes a file, or does nothing if it does not exist. */
  remove(path: string): Promise<void>
  /** Removes all files below a path. You can repeat it after a failure. */
  removeFolder(path: string): Promise<void>
  /** Why the store accepts no files at present. */
  findShortage(): Promise<string | undefined>
}

/** The store failed, not the request. */
export class FileStoreFailure extends Error {
  readonly failure = 'media_unavailable'

  constructor(place: string, cause: unknown) {
    super(`${place}: ${(cause as Error).message}`, { cause })
  }
}

const safePath = /^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/

/** Paths come from numbers and hashes. Anything else is an error in the program and must not leave the folder. */
export function checkPath(path: string): string {
  if (!safePath.test(path)) throw new Error(`not a path of a stored file: ${path}`)
  return path
}
