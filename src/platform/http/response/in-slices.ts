import { Readable } from 'node:stream'

const sliceBytes = 64 * 1024

/**
 * Slices of the same memory, sent as the client reads them. An encrypted socket would copy the whole buffer for each
 * slow client.
 */
export function inSlices(bytes: Buffer): Buffer | Readable {
  if (bytes.length <= sliceBytes) return bytes
  return Readable.from(slices(bytes), { objectMode: false, highWaterMark: sliceBytes })
}

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes)
}
