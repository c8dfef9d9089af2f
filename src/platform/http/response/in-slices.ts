import { Readable } from 'node:stream'

const sliceBytes = 64 * 1024

/**
 * Parts of the same memory, handed over as the client takes them. An encrypted socket would copy all that it is given at once,
 * for each slow reader anew.
 */
export function inSlices(bytes: Buffer): Buffer | Readable {
  if (bytes.length <= sliceBytes) return bytes
  return Readable.from(slices(bytes), { objectMode: false, highWaterMark: sliceBytes })
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}
