import { createHash } from 'node:crypto'

/** Passes rows through and computes their SHA-256. */
export function digestRows(onBytes: (bytes: number) => void) {
  const digest = createHash('sha256')
  return {
    async *pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const part of source) {
        digest.update(part)
        onBytes(part.length)
        yield part
      }
    },
    sha256: () => digest.digest('hex'),
  }
}
