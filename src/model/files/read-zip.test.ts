import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { zipOf } from '../../../test/media/zip-file.ts'
import { readZip } from './read-zip.ts'

const sourceOf = (bytes: Buffer) => ({
  size: bytes.length,
  read: async (start: number, length: number) => bytes.subarray(start, start + length),
})

test('files are unpacked one by one, and entries in folders are ignored', async () => {
  const picture = randomBytes(300_000)
  const bytes = await zipOf({ 'A.png': picture, 'b/C.png': 'x', '__MACOSX/._A.png': 'x', '.hidden': 'x' })
  const { files, ignored } = await readZip(sourceOf(bytes))
  expect(files.map(({ name, bytes }) => [name, bytes])).toEqual([['A.png', picture.length]])
  expect(ignored).toEqual(['b/C.png'])
  expect(await buffer(files[0]?.open() as never)).toEqual(picture)
})

test('a large file is not unpacked further than it is read', { tags: 'slow' }, async () => {
  const { files } = await readZip(sourceOf(await zipOf({ 'bomb.png': Buffer.alloc(64 * 1024 ** 2) })))
  let read = 0
  for await (const part of files[0]?.open() ?? []) {
    read += part.length
    if (read > 1024 ** 2) break
  }
  expect(read).toBeLessThan(4 * 1024 ** 2)
})

test('a damaged file, a name that leaves the folder and other files are errors', async () => {
  const bytes = await zipOf({ 'A.png': randomBytes(10_000) })
  const damaged = Buffer.from(bytes)
  damaged[5_000] = (damaged[5_000] as number) ^ 1
  const { files } = await readZip(sourceOf(damaged))
  await expect(buffer(files[0]?.open() as never)).rejects.toThrow()
  const inside = (await zipOf({ 'aa/bb.png': 'x' })).toString('latin1')
  const outside = Buffer.from(inside.replaceAll('aa/', '../'), 'latin1')
  await expect(readZip(sourceOf(outside))).rejects.toThrow('Unsafe filename')
  await expect(readZip(sourceOf(Buffer.from('no zip file')))).rejects.toThrow()
})

test('entries and unpacked bytes are limited for the whole file', async () => {
  const source = sourceOf(await zipOf({ 'A.png': Buffer.alloc(1_000), 'B.png': Buffer.alloc(1_000) }))
  await expect(readZip(source, { entries: 1, unpackedBytes: 10 ** 6 })).rejects.toThrow('more than 1 entries')
  const { files } = await readZip(source, { entries: 2, unpackedBytes: 1_500 })
  const [first, second] = files.map(
    ({ open }) =>
      () =>
        buffer(open() as never),
  )
  expect((await first?.())?.length).toBe(1_000)
  await expect(second?.()).rejects.toThrow('unpacks to more than')
})
