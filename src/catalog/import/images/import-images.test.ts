import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../../test/database/test-database.ts'
import { sharedTestService, type Tenant } from '../../../../test/harness.ts'
import { drawnPng } from '../../../../test/media/drawn-png.ts'
import { zipOf } from '../../../../test/media/zip-file.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { mediaFolder } from '../../../../test/setup/media-folder.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'

let shop: Tenant
let folder: string
let catalog: ReturnType<typeof commandRunner>
beforeEach(async () => {
  shop = await (await sharedTestService()).tenant()
  folder = temporaryFolder()
  const connection = inject('connection')
  catalog = commandRunner({ DATABASE_URL: connectionUrl(connection), CATALOG_MEDIA: mediaFolder(connection) })
})

const idOf = (bytes: Uint8Array) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const inFolder = (name: string, content: Uint8Array | string) => writeFileSync(join(folder, name), content)
const importFile = (name: string, ...options: string[]) =>
  catalog.catalogJson(['import', join(folder, name), '--project', String(shop.project), ...options])
/** The report of an import that rejects lines. */
async function reportOf(name: string, ...options: string[]) {
  const args = ['import', join(folder, name), '--project', String(shop.project), '--json', ...options]
  const { code, stdout, stderr } = await catalog.catalog(args)
  expect(code).toBe(1)
  return { ...JSON.parse(stdout), stderr }
}
const push = (lines: object[]) => shop.call('/v2/products/bulk', { method: 'POST', body: lines })
type Item = { asset?: string; alt: string | null; url: string; kind: string }
async function mediaOf(sku: string): Promise<Item[]> {
  return (await shop.call(`/v2/products/by-sku/${sku}`)).body.media
}
const assetsOf = async (sku: string) => (await mediaOf(sku)).map(({ asset }) => asset)

describe('images next to a file', () => {
  test.each(['csv', 'ndjson'])(
    'are uploaded and become assets of the products in a %s file',
    { tags: 'slow' },
    async (format) => {
      const [one, two] = [drawnPng(), drawnPng()]
      mkdirSync(join(folder, 'images/mugs'), { recursive: true })
      inFolder('images/one.png', one)
      inFolder('images/mugs/two.png', two)
      const media = [{ url: 'images/one.png', alt: 'One' }, { url: 'images/mugs/two.png' }]
      if (format === 'csv')
        inFolder('shop.csv', 'sku,name,media\nA,Mug,images/one.png|images/mugs/two.png\nB,Cup,\n')
      else
        inFolder(
          'shop.ndjson',
          [
            { sku: 'A', name: 'Mug', media },
            { sku: 'B', name: 'Cup' },
          ]
            .map((line) => JSON.stringify(line))
            .join('\n'),
        )
      const dry = await importFile(`shop.${format}`, '--dry-run')
      expect(dry).toMatchObject({ created: 2, rejected: 0, images: 2 })
      expect((await shop.call('/v2/products')).body.count).toBe(0)
      expect(await importFile(`shop.${format}`)).toMatchObject({ created: 2, rejected: 0, images: 2 })
      expect(await assetsOf('A')).toEqual([idOf(one), idOf(two)])
      expect(await importFile(`shop.${format}`)).toMatchObject({ unchanged: 2, rejected: 0 })
    },
  )

  test('that are missing, outside the folder or of another type reject their lines with a reason', {
    tags: 'slow',
  }, async () => {
    mkdirSync(join(folder, 'images'))
    inFolder('secret.png', drawnPng())
    inFolder('images/note.png', 'just text')
    symlinkSync(join(folder, 'secret.png'), join(folder, 'images/link.png'))
    const names = ['images/none.png', 'images/../secret.png', 'images/link.png', 'images', 'images/note.png']
    const lines = names.map((url, index) =>
      JSON.stringify({ sku: `P-${index}`, name: 'Mug', media: [{ url }] }),
    )
    inFolder('shop.ndjson', lines.join('\n'))
    const { code } = await catalog.catalog([
      ...['import', join(folder, 'shop.ndjson'), '--project', String(shop.project)],
    ])
    expect(code).toBe(1)
    const rejected = readFileSync(join(folder, 'shop.ndjson.rejected.ndjson'), 'utf8')
    const reasons = rejected.split('\n').filter((line) => line.startsWith('#'))
    expect(reasons).toEqual([
      expect.stringContaining('images/none.png does not exist'),
      expect.stringContaining('images/../secret.png does not exist'),
      expect.stringContaining('images/link.png does not exist'),
      expect.stringContaining('invalid_format'),
      expect.stringMatching(
        /images\/note\.png: The file does not have one of these types.*unsupported_media_type/,
      ),
    ])
    expect((await shop.call('/v2/products')).body.count).toBe(0)
  })

  test('of another system come from the folder that --media-base names', async () => {
    const picture = drawnPng()
    mkdirSync(join(folder, 'pictures/m/u'), { recursive: true })
    inFolder('pictures/m/u/mug.png', picture)
    inFolder('magento.csv', 'sku,name,product_type,base_image\nA,Mug,simple,/m/u/mug.png\n')
    const options = ['--map', 'magento', '--media-base', join(folder, 'pictures')]
    expect(await importFile('magento.csv', ...options)).toMatchObject({ created: 1, images: 1 })
    expect(await assetsOf('A')).toEqual([idOf(picture)])
  })
})

describe('a zip file of images', () => {
  test('replaces the images of the products in their names, in order, and keeps other items and texts', {
    tags: 'slow',
  }, async () => {
    const manual = { url: 'https://files.example/manual.pdf', kind: 'document' }
    await push([
      { sku: 'MUG', name: 'Mug', media: [{ url: 'https://images.example/old.jpg' }, manual] },
      { sku: 'MUG_2', name: 'Mug two' },
      { sku: 'Tasse ä', name: 'Tasse' },
    ])
    const [first, second, tenth, other, cup] = Array.from({ length: 5 }, () => drawnPng())
    inFolder(
      'images.zip',
      await zipOf({
        'MUG_10.png': tenth as Buffer,
        'MUG_3.png': second as Buffer,
        'MUG.PNG': first as Buffer,
        'MUG_2.png': other as Buffer,
        [`${'Tasse ä'.normalize('NFD')}.png`]: cup as Buffer,
        'folder/MUG.png': drawnPng(),
        '__MACOSX/._MUG.png': 'x',
        'NOBODY.png': drawnPng(),
        'notes.txt': 'x',
      }),
    )
    const summary = { lines: 5, updated: 3, rejected: 2, images: 5 }
    expect(await reportOf('images.zip', '--dry-run')).toMatchObject(summary)
    expect(await assetsOf('MUG_2')).toEqual([])
    const { stderr, ...report } = await reportOf('images.zip')
    expect(report).toMatchObject(summary)
    expect(stderr).toContain('1 entries in folders or encrypted are ignored, such as folder/MUG.png')
    expect(readFileSync(join(folder, 'images.zip.rejected.ndjson'), 'utf8')).toMatch(
      /no product has the SKU in the name NOBODY.png.*notes.txt is not the name of an image/s,
    )
    expect(await assetsOf('MUG')).toEqual(
      [first, second, tenth].map((one) => idOf(one as Buffer)).concat([undefined as never]),
    )
    expect((await mediaOf('MUG')).at(-1)).toMatchObject(manual)
    expect(await assetsOf('MUG_2')).toEqual([idOf(other as Buffer)])
    expect(await assetsOf(encodeURIComponent('Tasse ä'))).toEqual([idOf(cup as Buffer)])

    const media = (await mediaOf('MUG')).map((item, index) =>
      index === 0 ? { ...item, alt: 'A mug' } : item,
    )
    await push([{ sku: 'MUG', media }])
    expect(await reportOf('images.zip')).toMatchObject({ updated: 0, unchanged: 3 })
    expect((await mediaOf('MUG'))[0]).toMatchObject({ alt: 'A mug' })
  })

  test('can be proposed, and rejects files that are damaged or not images', async () => {
    await push([
      { sku: 'A', name: 'A' },
      { sku: 'B', name: 'B' },
    ])
    inFolder('images.zip', await zipOf({ 'A.png': drawnPng(), 'B.png': 'no image' }))
    const { proposals, rejected } = await reportOf('images.zip', '--propose')
    expect([proposals.length, rejected]).toEqual([1, 1])
    expect(await assetsOf('A')).toEqual([])
    inFolder('broken.zip', 'no zip file')
    const { code, stderr } = await catalog.catalog([
      ...['import', join(folder, 'broken.zip'), '--project', String(shop.project)],
    ])
    expect([code, stderr]).toEqual([1, expect.stringContaining('broken.zip is not a valid zip file')])
  })
})
