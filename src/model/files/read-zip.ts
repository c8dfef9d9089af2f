import {
  configure,
  type Entry,
  type FileEntry,
  Reader,
  ZipReader,
} from '@zip.js/zip.js/lib/zip-core-native.js'
import { gibibyte } from '../../platform/units.ts'
import { zipLimits } from '../limits/files.ts'

/* No Node APIs, because the console bundles this file. */

/** The bytes of a zip file, of which any part can be read. */
export type ZipSource = { size: number; read(start: number, length: number): Promise<Uint8Array> }

export type ZippedFile = {
  name: string
  /** The unpacked size according to the zip file, which can be wrong. */
  bytes: number
  /** Unpacks the file while it is read. */
  open(): ReadableStream<Uint8Array>
}

type ZipLimits = { entries: number; unpackedBytes: number }

/** The files of a zip file, and the names of entries that it ignores because they are in folders or encrypted. */
export type Zip = { files: ZippedFile[]; ignored: string[] }

configure({ useWebWorkers: false })

/** Reads the names of the entries. They are unpacked one by one, and only up to the limit in total. */
export async function readZip({ size, read }: ZipSource, limits: ZipLimits = zipLimits): Promise<Zip> {
  const reader = new ZipReader(Object.assign(new Reader(undefined), { size, readUint8Array: read }))
  const count = unpackedCounter(limits)
  const zip: Zip = { files: [], ignored: [] }
  let entries = 0
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      entries += 1
      if (entries > limits.entries)
        throw new Error(`the zip file has more than ${limits.entries} entries; divide it`)
      if (isIgnored(entry)) continue
      if (entry.directory || /[/\\]/.test(entry.filename) || entry.encrypted) zip.ignored.push(entry.filename)
      else zip.files.push(zippedFile(entry, count))
    }
  } finally {
    await reader.close()
  }
  return zip
}

/** What macOS adds to zip files, and folders. */
function isIgnored({ directory, filename }: Entry): boolean {
  return directory || filename.startsWith('__MACOSX/') || filename.startsWith('.')
}

/** Counts the unpacked bytes of all entries. */
function unpackedCounter({ unpackedBytes }: ZipLimits): (bytes: number) => void {
  let total = 0
  return (bytes) => {
    total += bytes
    if (total > unpackedBytes)
      throw new Error(`the zip file unpacks to more than ${unpackedBytes / gibibyte} GiB; divide it`)
  }
}

function zippedFile(entry: FileEntry, count: (bytes: number) => void): ZippedFile {
  return {
    name: entry.filename,
    bytes: entry.uncompressedSize,
    open() {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          count(chunk.length)
          controller.enqueue(chunk)
        },
      })
      // A failure also ends the stream, where it is reported.
      entry.getData(writable, { checkSignature: true }).catch(() => {})
      return readable
    },
  }
}
