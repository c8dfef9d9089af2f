import { gunzipSync } from 'node:zlib'

const block = 512

/** The files of an npm package, by their names in it. */
export function readTarball(packed: Buffer): Map<string, Buffer> {
  const bytes = gunzipSync(packed)
  const files = new Map<string, Buffer>()
  for (let at = 0; bytes[at]; ) {
    const text = (from: number, to: number) =>
      bytes.toString('latin1', at + from, at + to).split('\0', 1)[0] ?? ''
    const size = Number.parseInt(text(124, 136), 8)
    files.set(text(0, 100).replace(/^package\//, ''), bytes.subarray(at + block, at + block + size))
    at += block + Math.ceil(size / block) * block
  }
  return files
}
