import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { sharedTestService, type Tenant } from '../../../test/harness.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let shop: Tenant
beforeAll(async () => {
  shop = await (await sharedTestService()).tenant()
})

const send = async (method: string, path: string, body?: object) =>
  (await shop.call(`/v2${path}`, { method, ...(body && { body }) })).body
const proposal = (...args: string[]) => ['proposal', ...args, '--project', String(shop.project)]

const importing = (name: string, content: string, ...args: string[]) => {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return ['import', path, '--project', String(shop.project), '--propose', ...args]
}

test('--propose writes no products, saves rejected lines, and creates one proposal', async () => {
  const rows = ['sku,name,price', 'I-1,One,1', 'I-2,Two,-2', 'I-3,Three,3']
  const run = await catalog(importing('new.csv', rows.join('\n'), '--json'))
  const report = JSON.parse(run.stdout)
  expect([run.code, report]).toMatchObject([
    1,
    { lines: 3, created: 2, rejected: 1, proposals: [expect.any(Number)], rejected_file: expect.any(String) },
  ])
  const id = String(report.proposals[0])
  expect(await send('GET', '/products?sku__in=I-1,I-3')).toMatchObject({ count: 0 })
  expect(await send('GET', `/proposals/${id}`)).toMatchObject({
    title: 'Import of new.csv',
    origin: 'import',
    actor: 'catalog import',
    state: 'open',
  })
  expect((await catalog(proposal('apply', id))).code).toBe(0)
  expect(await send('GET', '/products?sku__in=I-1,I-3')).toMatchObject({ count: 2 })
})

test('a file with only rejected lines creates no proposal to apply', async () => {
  const run = await catalog(importing('wrong.csv', 'sku,name,price\nJ-1,One,-1\n', '--json'))
  expect([run.code, JSON.parse(run.stdout)]).toMatchObject([1, { rejected: 1, proposals: [] }])
})

test('a large file becomes numbered proposals, parents before their variants', { tags: 'slow' }, async () => {
  const filler = Array.from({ length: 10_001 }, (_, index) => ({ sku: `L-${index}`, name: 'L' }))
  const variant = { sku: 'L-RED', name: 'Red', parent: { sku: 'L' }, attributes: { color: 'red' } }
  const parent = { sku: 'L', name: 'L', product_type: 'configurable', variant_axes: ['color'] }
  const lines = [variant, ...filler, parent].map((line) => JSON.stringify(line))
  const { proposals } = await catalogJson(importing('large.ndjson', lines.join('\n'), '--title', 'Large'))
  const ids = proposals as number[]
  const made = await Promise.all(ids.map((id) => send('GET', `/proposals/${id}`)))
  expect(made.map(({ title, summary }) => [title, summary.total])).toEqual([
    ['Large (1)', 10_000],
    ['Large (2)', 2],
    ['Large (3)', 1],
  ])
  const [, parents, variants] = ids.map(String) as [string, string, string]
  await catalogJson(proposal('apply', parents))
  await catalogJson(proposal('apply', variants))
  expect(await send('GET', '/products/by-sku/L-RED')).toMatchObject({
    parent: { sku: 'L', id: expect.any(Number) },
  })
})

test('a file of another system with references becomes one proposal', async () => {
  const rows = [
    'ID,Type,SKU,Name,Published,Regular price,Upsells,Parent,Attribute 1 name,Attribute 1 value(s)',
    '1,variable,W,Shirt,1,,W-2,,Color,"Red, Blue"',
    '2,variation,W-1,Shirt red,1,5,,W,Color,Red',
    '3,simple,W-2,Hat,1,5,W,,,',
  ]
  const report = await catalogJson(importing('woo.csv', rows.join('\n'), '--from', 'woocommerce'))
  expect(report).toMatchObject({ lines: 3, created: 3, rejected: 0, proposals: [expect.any(Number)] })
  expect((await catalog(proposal('apply', String((report['proposals'] as number[])[0])))).code).toBe(0)
  expect(await send('GET', '/products/by-sku/W')).toMatchObject({ links: { upsell: [{ sku: 'W-2' }] } })
  expect(await send('GET', '/products/by-sku/W-1')).toMatchObject({ parent: { sku: 'W' } })
})

test('--propose and --dry-run exclude each other, and --title requires --propose', async () => {
  const both = await catalog(importing('a.csv', 'sku,name\nX,X\n', '--dry-run'))
  expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('cannot be used with')])
  const titled = await catalog(['import', 'a.csv', '--project', String(shop.project), '--title', 'T'])
  expect([titled.code, titled.stderr]).toEqual([1, expect.stringContaining('--title requires --propose')])
})
