import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

const { catalog } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

async function importText(content: string | Buffer, more: string[] = []) {
  const shop = await service.tenant()
  const file = join(temporaryFolder(), 'products.csv')
  writeFileSync(file, content)
  const run = await catalog(['import', file, '--project', String(shop.project), '--json', ...more])
  const { body } = await shop.call('/v2/products?expand=detail')
  return { ...run, products: body.results }
}

/** With quotes that are doubled, lines and delimiters inside of quotes, and both ends of lines. */
function fileWith(delimiter: string): string {
  const rows = [
    ['sku', 'name', 'short_description'],
    ['A', 'Café', '"a ""b""\r\nc; d, e\tf"'],
    ['B', '"Crème ""brûlée"""', ''],
  ]
  return rows.map((row) => row.join(delimiter)).join('\r\n')
}

function bigEndian(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

test.each([
  ['UTF-8', 'semicolons', ';', (text: string) => Buffer.from(text), ''],
  ['UTF-8 with a byte order mark', 'tabs', '\t', (text: string) => Buffer.from(`\ufeff${text}`), ''],
  ['UTF-16 LE', 'tabs', '\t', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), 'utf-16le'],
  ['UTF-16 BE', 'commas', ',', (text: string) => bigEndian(`\ufeff${text}`), 'utf-16be'],
  ['Windows-1252', 'semicolons', ';', (text: string) => Buffer.from(text, 'latin1'), 'windows-1252'],
])('a CSV in %s with %s is read', async (_name, _marks, delimiter, encode, encoding) => {
  const { products, stderr } = await importText(encode(fileWith(delimiter)))
  expect(products).toMatchObject([
    { sku: 'A', name: 'Café', short_description: 'a "b"\r\nc; d, e\tf' },
    { sku: 'B', name: 'Crème "brûlée"' },
  ])
  expect(stderr).toEqual(encoding === '' ? '' : expect.stringContaining(`reading the file as ${encoding}`))
})

test('a given encoding is used even if the beginning of the file does not show it', {
  tags: 'slow',
}, async () => {
  const long = `sku,name,description\nA,A,${'x'.repeat(90_000)}\n`.padEnd(2 ** 20, '\n')
  const file = Buffer.from(`${long}B,Caf\xe9 10 \x80,x\n`, 'latin1')
  const { products } = await importText(file, ['--encoding', 'windows-1252'])
  expect(products).toMatchObject([{ sku: 'A' }, { sku: 'B', name: 'Café 10 €' }])
})

test('unknown columns become attributes with --rest attributes', async () => {
  const { products } = await importText('sku;name;Color;Year\nA;A;red;1999\n', ['--rest', 'attributes'])
  expect(products).toMatchObject([{ attributes: { Color: 'red', Year: 1999 } }])
})

test('repeated SKUs are reported and counted', async () => {
  const { stdout, stderr } = await importText('sku,name\nA,1\nB,1\nA,2\nA,3\n')
  expect(JSON.parse(stdout)).toMatchObject({ lines: 4, created: 2, updated: 2, repeated_skus: 2 })
  expect(stderr).toContain('line 4: the SKU A already occurred in an earlier line')
})
