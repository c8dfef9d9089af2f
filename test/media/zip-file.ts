import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js/lib/zip-core-native.js'

/** A zip file with these entries. */
export async function zipOf(entries: Record<string, Uint8Array | string>): Promise<Buffer> {
  const zip = new ZipWriter(new BlobWriter(), { useWebWorkers: false })
  for (const [name, content] of Object.entries(entries))
    await zip.add(name, new BlobReader(new Blob([content as Uint8Array<ArrayBuffer>])))
  return Buffer.from(await (await zip.close()).arrayBuffer())
}
