import { beforeAll, describe, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { drawnPng } from '../../../test/media/drawn-png.ts'
import { type S3Fault, type S3Substitute, startS3 } from '../../../test/media/s3-substitute.ts'
import { pdfOf, upload, uploaded } from '../../../test/media/upload.ts'
import { sql } from '../../platform/database/sql.ts'
import type { FileStore } from '../../platform/file-store/file-store.ts'
import { requestJob } from '../../platform/jobs/job.sql.ts'
import { compareFiles } from '../media-store/compare-files.ts'
import { openMediaFiles } from '../media-store/media-files.ts'
import { openMediaStore } from '../media-store/media-store.ts'
import { listOriginals } from '../media-store/stored-files.sql.ts'
import { removeDueFiles } from './remove-files.ts'
import { thumbnailKind } from './thumbnail-job.ts'

let s3: S3Substitute
let one: TestService
let other: TestService
let shop: Tenant
let connection: Awaited<ReturnType<typeof ownDatabase>>
beforeAll(async () => {
  s3 = await startS3()
  connection = await ownDatabase('s3')
  one = await startTestService(s3.settings, connection)
  other = await startTestService(s3.settings, connection)
  shop = await one.tenant()
  // Each service checks the marker of the store first, which would use up a fault.
  const { url } = await uploaded(shop, pdfOf(10), 'application/pdf')
  await onOther(new URL(url).pathname)
})

const onOther = (path: string, token?: string) => other.call(path, { token })

test('two services on one bucket serve the uploads of each other, and sign every request', {
  tags: 'slow',
}, async () => {
  const file = pdfOf(300_000)
  const document = await uploaded(shop, file, 'application/pdf')
  const served = await onOther(new URL(document.url).pathname)
  expect(served.bytes.equals(file)).toBe(true)
  const part = await other.call(new URL(document.url).pathname, { headers: { range: 'bytes=100-199' } })
  expect(part.bytes.equals(file.subarray(100, 200))).toBe(true)
  const image = await uploaded(shop, drawnPng(300, 200))
  await expect
    .poll(async () => (await onOther(`/v2/assets/${image.id}`, shop.token)).body.state)
    .toBe('ready')
  for (const address of [image.url, ...Object.values(image.thumbnails ?? {})])
    expect((await onOther(new URL(address).pathname)).headers.get('content-type')).toBe('image/webp')
  expect(s3.refused).toEqual([])
  expect([...s3.objects.keys()].every((key) => key.startsWith('prefix/'))).toBe(true)
})

describe('a store that fails', () => {
  test.each<S3Fault>([500, 503, 'cut'])('once with %s is asked again', { tags: 'slow' }, async (fault) => {
    s3.faults.push(fault)
    const file = pdfOf(1_000)
    const { url } = await uploaded(shop, file, 'application/pdf')
    s3.faults.push(fault)
    expect((await onOther(new URL(url).pathname)).bytes.equals(file)).toBe(true)
    expect(s3.faults).toEqual([])
  })

  test.each<S3Fault>([500, 'cut'])(
    'always with %s returns 503, and leaves neither a row nor a file',
    async (fault) => {
      const file = pdfOf(1_000)
      const before = new Set(s3.objects.keys())
      s3.faults.push(fault, fault, fault)
      const { body, headers } = await upload(shop, file, 'application/pdf')
      expect(body.code).toBe('media_unavailable')
      expect(headers.get('retry-after')).not.toBeNull()
      await removeFiles()
      expect(await countFiles()).toBe(0)
      expect(new Set(s3.objects.keys())).toEqual(before)
      expect((await upload(shop, file, 'application/pdf')).status).toBe(201)
    },
  )

  test('while it sends a file breaks the connection, and never sends a wrong file', async () => {
    const { url } = await uploaded(shop, pdfOf(300_000), 'application/pdf')
    s3.faults.push('cut body')
    await expect(onOther(new URL(url).pathname)).rejects.toThrow()
    expect((await onOther(new URL(url).pathname)).bytes).toHaveLength(300_000)
  })

  test('while it sends its marker returns 503', async () => {
    const third = await startTestService(s3.settings, connection)
    s3.faults.push('cut body')
    const { body } = await third.call('/v2/assets', {
      ...{
        method: 'POST',
        token: shop.token,
        body: pdfOf(100),
        headers: { 'content-type': 'application/pdf' },
      },
    })
    expect([body.code, s3.faults]).toEqual(['media_unavailable', []])
  })

  test('delays thumbnails, and fails none', { tags: 'slow' }, async () => {
    const { id } = await uploaded(shop, drawnPng(50, 40))
    const stateOf = async () => (await shop.call(`/v2/assets/${id}`)).body.state
    await expect.poll(stateOf).toBe('ready')
    s3.faults.push(500, 500, 500, 'cut body')
    const hash = id.slice('sha256:'.length)
    await one.database.query(sql`
      update assets set state = 'processing' where project_id = ${shop.project} and hash = ${hash}`)
    await requestJob(one.database, { projectId: shop.project, kind: thumbnailKind, key: hash })
    await expect.poll(stateOf).not.toBe('processing')
    expect([await stateOf(), s3.faults]).toEqual(['ready', []])
  })
})

test('files that the bucket lacks are found by their size', async () => {
  const store = openMediaFiles(s3.settings) as FileStore
  const [kept, lost] = [
    await uploaded(shop, pdfOf(500), 'application/pdf'),
    await uploaded(shop, pdfOf(600), 'application/pdf'),
  ]
  const compared = await compareFiles(listOriginals(one.database), store)
  expect(compared).toMatchObject({ missing: 0, example: undefined })
  const keyOf = (id: string) =>
    [...s3.objects.keys()].find((key) => key.includes(id.slice('sha256:'.length))) as string
  s3.objects.delete(keyOf(lost.id))
  s3.objects.set(keyOf(kept.id), Buffer.alloc(400))
  expect(await compareFiles(listOriginals(one.database), store)).toMatchObject({
    files: compared.files,
    missing: 2,
  })
  expect(s3.refused).toEqual([])
})

test('a folder of any size is removed', async () => {
  const store = openMediaFiles(s3.settings)
  for (let index = 0; index < 10; index += 1) await store?.put(`9/ab/${index}`, { bytes: Buffer.from('x') })
  await store?.put('99/ab/0', { bytes: Buffer.from('x') })
  await store?.removeFolder('9')
  expect([...s3.objects.keys()].filter((key) => /prefix\/99?\//.test(key))).toEqual(['prefix/99/ab/0'])
})

test('wrong keys are refused, and the error shows no key', async () => {
  const wrong = { ...s3.settings, mediaSecretKey: 'another secret' }
  const error = await openMediaFiles(wrong)
    ?.get('catalog-media')
    .catch((thrown: Error) => thrown)
  expect(String(error)).toContain('403')
  expect(String(error)).not.toContain('secret')
  s3.refused.length = 0
})

function removeFiles(): Promise<void> {
  const media = openMediaStore(one.database, openMediaFiles(s3.settings))
  return removeDueFiles(one.database.background, media, new AbortController().signal)
}

async function countFiles(): Promise<number> {
  const [row] = await one.database.query(
    sql<{ count: number }>`select count(*) from asset_files where project_id = ${shop.project}`,
  )
  return row?.count ?? -1
}
