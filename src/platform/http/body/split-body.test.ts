import { expect, test } from 'vitest'
import { splitArray, splitLines } from './split-body.ts'

const limits = { lines: 10, lineBytes: 1024 }
const chunkBytes = 512

function chunkOf(text: string): Buffer {
  const chunk = Buffer.from(new ArrayBuffer(chunkBytes))
  chunk.fill('x').write(text)
  return chunk
}

test.each([
  ['NDJSON', splitLines, '{"sku":"A"}\n', '\n{"sku":"C"}\n'],
  ['a JSON array', splitArray, '[{"sku":"A"},', ',{"sku":"C"}]'],
])('a line that is too long keeps none of its memory: %s', (_, split, first, last) => {
  const splitter = split(limits)
  splitter.take(chunkOf(first))
  for (let chunk = 0; chunk < 100; chunk += 1) splitter.take(chunkOf('x'))
  splitter.take(Buffer.from(last))
  const lines = [...splitter.drain(), ...splitter.end()]
  expect(lines.map(({ number, bytes }) => [number, bytes?.length])).toEqual([
    [1, 11],
    [2, undefined],
    [3, 11],
  ])
  const kept = lines.flatMap(({ spent }) => spent).reduce((sum, { byteLength }) => sum + byteLength, 0)
  expect(kept).toBeLessThanOrEqual(limits.lineBytes + 2 * chunkBytes)
})
