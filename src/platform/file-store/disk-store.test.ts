import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { diskStore } from './disk-store.ts'
import { type FileRange, FileStoreFailure } from './file-store.ts'

async function read(store: ReturnType<typeof diskStore>, path: string, range?: FileRange) {
  const found = await store.get(path, range)
  return found && { bytes: found.bytes, text: await text(found.body) }
}

test('a file is stored from bytes or from a local file, which moves to its place', async () => {
  const folder = temporaryFolder()
  const store = diskStore(folder)
  await store.put('1/ab/one', { bytes: Buffer.from('one') })
  mkdirSync(store.incoming, { recursive: true })
  writeFileSync(join(store.incoming, 'upload'), 'two')
  await store.put('1/ab/two', { file: join(store.incoming, 'upload'), sha256: '' })
  expect(await read(store, '1/ab/one')).toEqual({ bytes: 3, text: 'one' })
  expect(await read(store, '1/ab/two')).toEqual({ bytes: 3, text: 'two' })
  expect(await read(store, '1/ab/two', { start: 1, end: 1 })).toEqual({ bytes: 1, text: 'w' })
  expect(readdirSync(store.incoming)).toEqual([])
})

test('a file that does not exist is undefined, and removing it again does nothing', async () => {
  const store = diskStore(temporaryFolder())
  expect(await store.get('1/ab/none')).toBeUndefined()
  await store.put('1/ab/one', { bytes: Buffer.from('one') })
  await store.remove('1/ab/one')
  await store.remove('1/ab/one')
  expect(await store.get('1/ab/one')).toBeUndefined()
})

test('a folder is removed with all its files, and others stay', async () => {
  const store = diskStore(temporaryFolder())
  await store.put('1/ab/one', { bytes: Buffer.from('one') })
  await store.put('11/ab/one', { bytes: Buffer.from('other') })
  await store.removeFolder('1')
  await store.removeFolder('1')
  expect(await store.get('1/ab/one')).toBeUndefined()
  expect(await read(store, '11/ab/one')).toMatchObject({ text: 'other' })
})

test('no path leaves the folder', async () => {
  const store = diskStore(temporaryFolder())
  for (const path of ['../x', '/etc/passwd', 'a/../../x', '', 'a//b', '.hidden', 'a/.'])
    await expect(store.get(path), path).rejects.toThrow()
})

test('an error of the disk is a failure of the store', async () => {
  const file = join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  await expect(diskStore(file).put('1/a', { bytes: Buffer.from('one') })).rejects.toThrow(FileStoreFailure)
})
