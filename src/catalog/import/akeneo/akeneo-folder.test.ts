import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../../test/database/test-database.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../../test/harness.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

type Named = Record<string, unknown> & { name: string; sku: string }
const options = ['--from', 'akeneo', '--locale', 'en_US', '--media-base', 'https://pim.example']

function importFolder(shop: Tenant, folder: string, ...more: string[]) {
  return catalogJson(['import', folder, '--project', String(shop.project), ...options, ...more])
}

async function productsOf(shop: Tenant): Promise<Record<string, Named>> {
  const { body } = await shop.call('/v2/products?expand=detail')
  return Object.fromEntries(body.results.map((product: Named) => [product.sku, product]))
}

test('a folder of Akeneo exports is imported with categories, definitions, options, units, requirements and axes', {
  tags: 'slow',
}, async () => {
  const shop = await service.tenant()
  expect(await importFolder(shop, 'docs/samples/akeneo')).toMatchObject({
    created: 4,
    rejected: 0,
    categories: { created: 7 },
    definitions: { created: 10 },
    unread_files: [],
  })
  const { body: tree } = await shop.call('/v2/categories')
  expect(tree.results.map(({ path }: { path: string[] }) => path.join(' > ')).sort()).toEqual([
    'Families',
    'Families > Lamps',
    'Families > Tops',
    'Shop',
    'Shop > Clothing',
    'Shop > Clothing > Tees',
    'Shop > lighting',
  ])
  const { body: defined } = await shop.call('/v2/attributes?page_size=100')
  const definitions = Object.fromEntries(defined.results.map((one: Named) => [one.name, one]))
  const tops = tree.results.find(({ name }: Named) => name === 'Tops').id
  expect(definitions).toMatchObject({
    ean: { type: 'text', max_length: 13, pattern: '[0-9]{8,13}', group: 'Technical', label: 'EAN' },
    color: { type: 'choice', allowed: ['Red', 'Blue'] },
    materials: { multiple: true, allowed: ['Linen', 'Cotton, organic'] },
    weight: { type: 'number', unit: 'kg', min: 0 },
    lumens: { type: 'number', max: 5000 },
    dimmable: { type: 'boolean' },
    released: { type: 'date', group: null },
    'care-en_US': { label: 'Care (en_US)' },
  })
  expect(definitions['materials'].required_for).toEqual({ product_types: [], categories: [tops] })
  expect(definitions['ean'].required_for).toEqual({
    product_types: ['simple', 'virtual'],
    categories: [tops],
  })
  expect(definitions['name']).toBeUndefined()
})

test('two-level models become one parent, and their values belong to its variants', async () => {
  const shop = await service.tenant()
  await importFolder(shop, 'docs/samples/akeneo')
  const products = await productsOf(shop)
  expect(products['TEE']).toMatchObject({
    name: 'Linen tee',
    variant_axes: ['color', 'size'],
    variants: { count: 2 },
    categories: [{ name: 'Tees' }, { name: 'Tops' }],
    attributes: { materials: ['Linen', 'Cotton, organic'], family: 'Tops', 'name-de_DE': 'Leinenshirt' },
  })
  expect(products['TEE-RED']).toBeUndefined()
  expect(products['TEE-RED-S']).toMatchObject({
    name: 'Linen tee',
    parent: { sku: 'TEE' },
    price: 24,
    attributes: {
      ...{ color: 'Red', size: 'S', ean: '4006381333931', weight_gram: 180, akeneo_model: 'TEE-RED' },
      'price-USD': 27,
    },
    media: [{ url: 'https://pim.example/files/tee-red.jpg' }],
  })
  expect(products['TEE-RED-M']).toMatchObject({ attributes: { ean: '0400638133', weight: 0.19 } })
  expect(products['LAMP-1']).toMatchObject({
    name: 'Desk lamp',
    status: 'inactive',
    attributes: { dimmable: true, lumens: 450, released: '2026-01-31', weight: 1.4 },
  })
})

test('a dry run counts the same and writes nothing; a second import changes nothing', {
  tags: 'slow',
}, async () => {
  const shop = await service.tenant()
  const dry = await importFolder(shop, 'docs/samples/akeneo', '--dry-run')
  expect((await shop.call('/v2/categories')).body.results).toEqual([])
  expect((await shop.call('/v2/attributes')).body.results).toEqual([])
  const { rejected_file: _none, ...first } = await importFolder(shop, 'docs/samples/akeneo')
  expect(first).toMatchObject({
    cells: dry.cells,
    dropped: dry.dropped,
    categories: dry.categories,
    created: 4,
  })
  expect(dry.dropped).toContainEqual({
    file: 'families.csv',
    column: 'requirements-ecommerce',
    reason: 'requirement for a product field or localized attribute',
    cells: 2,
  })
  const again = await importFolder(shop, 'docs/samples/akeneo')
  expect(again).toMatchObject({
    ...{ created: 0, updated: 0, unchanged: 4, categories: { created: 0 } },
    definitions: { created: 0, updated: 0, unchanged: 10 },
  })
})

test('a definition keeps its mode and description, and gets new options', { tags: 'slow' }, async () => {
  const shop = await service.tenant()
  const folder = join(temporaryFolder(), 'akeneo')
  cpSync('docs/samples/akeneo', folder, { recursive: true })
  await importFolder(shop, folder)
  const patch = { mode: 'enforce', description: 'Ours' }
  await shop.call('/v2/attributes/color', { method: 'PATCH', body: patch })
  const options = join(folder, 'attribute_options.csv')
  writeFileSync(options, `${readFileSync(options, 'utf8')}green;color;3;Grün;Green\n`)
  await importFolder(shop, folder)
  const { body } = await shop.call('/v2/attributes/color')
  expect(body).toMatchObject({ ...patch, allowed: ['Red', 'Blue', 'Green'] })
})

test('a folder without an export and --propose with a folder are rejected', async () => {
  const shop = await service.tenant()
  const run = async (folder: string, ...more: string[]) =>
    (await catalog(['import', folder, '--project', String(shop.project), ...options, ...more])).stderr
  expect(await run(temporaryFolder())).toContain('contains no Akeneo CSV export')
  expect(await run('docs/samples/akeneo', '--propose')).toContain('use --map akeneo')
})
