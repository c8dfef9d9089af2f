import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

type Product = Record<string, unknown> & { sku: string }

function importSample(shop: Tenant, name: string, options: string[]) {
  return catalogJson(['import', `docs/samples/${name}`, '--project', String(shop.project), ...options])
}

function written(name: string, text: string): string {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, text)
  return file
}

async function productsOf(shop: Tenant): Promise<Record<string, Product>> {
  const { body } = await shop.call('/v2/products?expand=detail')
  return Object.fromEntries(body.results.map((product: Product) => [product.sku, product]))
}

/** All category paths. */
async function treeOf(shop: Tenant): Promise<string[]> {
  const { body } = await shop.call('/v2/categories')
  return body.results.map(({ path }: { path: string[] }) => path.join(' > ')).sort()
}

/** A second import of the same file changes nothing. */
async function expectUnchanged(shop: Tenant, name: string, options: string[]): Promise<void> {
  const again = await importSample(shop, name, options)
  expect(again).toMatchObject({ created: 0, updated: 0, rejected: 0, connected: 0 })
}

describe('a product export of WooCommerce', () => {
  test('imports the category tree, variants, images, multiple values, units, stock and links', {
    tags: 'slow',
  }, async () => {
    const shop = await service.tenant()
    const from = ['--from', 'woocommerce']
    expect(await importSample(shop, 'woocommerce.csv', from)).toMatchObject({
      lines: 7,
      created: 7,
      rejected: 0,
      repeated_skus: 0,
      connected: 3,
    })
    expect(await treeOf(shop)).toEqual([
      'Clothing & more',
      'Clothing & more > Tees',
      'Home',
      'Home > Lighting',
      'Office',
      'Office > Lighting',
    ])
    const products = await productsOf(shop)
    expect(products['LAMP-1']).toMatchObject({
      description: '<p>A lamp for desks.</p>\n<p>With a long arm.</p>',
      price: 49.9,
      status: 'active',
      attributes: {
        Material: ['Steel', 'Oak, oiled'],
        weight_kg: 1.4,
        sale_price: 39.9,
        tags: ['desk', 'bestseller'],
      },
      media: [{ url: 'https://shop.example/lamp-1.jpg' }, { url: 'https://shop.example/lamp-2.jpg' }],
      links: { upsell: [{ sku: 'LAMP-2' }], cross_sell: [{ sku: 'woocommerce-16' }, { sku: 'LAMP-2' }] },
      inventory: { quantity: 12, low_stock_threshold: 3 },
    })
    expect(products['TEE']).toMatchObject({
      product_type: 'configurable',
      variant_axes: ['Color', 'Size'],
      variants: { count: 2, in_stock: 1, price: { min: 22.5, max: 24 } },
    })
    expect(products['woocommerce-13']).toMatchObject({
      parent: { id: products['TEE']?.['id'], sku: 'TEE' },
      attributes: { Color: 'Blue', Size: 'any' },
      inventory: { in_stock: false },
    })
    expect(products['DESK-SET']).toMatchObject({
      status: 'pending',
      components: [{ sku: 'LAMP-1' }, { id: products['woocommerce-16']?.['id'] }],
    })
    expect(products['LAMP-2']).toMatchObject({ status: 'inactive', inventory: { backorders: true } })
    await expectUnchanged(shop, 'woocommerce.csv', from)
  })

  test('fault 36: counts dropped cells by column, and drops fewer with --rest attributes', async () => {
    const shop = await service.tenant()
    const dry = await importSample(shop, 'woocommerce.csv', ['--from', 'woocommerce', '--dry-run'])
    expect(dry).toMatchObject({
      created: 7,
      connected: 3,
      cells: { filled: 146, taken: 77, dropped: 69 },
    })
    expect(dry.dropped).toEqual(
      expect.arrayContaining([
        { column: 'Tax class', reason: 'not imported', cells: 1 },
        { column: 'Images', reason: 'image URL without https', cells: 1 },
        { column: 'Tax status', reason: 'default value of the shop', cells: 7 },
      ]),
    )
    const project = ['--project', String(shop.project)]
    const { stdout } = await catalog([
      ...['import', 'docs/samples/woocommerce.csv', '--from', 'woocommerce', '--dry-run'],
      ...project,
    ])
    expect(stdout).toMatch(/dropped +reason +cells\n(.*\n)*Tax class +not imported +1\n/)
    const kept = await importSample(shop, 'woocommerce.csv', [
      '--from',
      'woocommerce',
      '--rest',
      'attributes',
    ])
    expect(kept.dropped).not.toContainEqual(expect.objectContaining({ reason: 'not imported' }))
    expect((await productsOf(shop))['LAMP-1']?.['attributes']).toMatchObject({ 'Tax class': 'reduced-rate' })
  })
})

describe('a product export of Shopify', () => {
  test('imports variants, images, categories and stock', { tags: 'slow' }, async () => {
    const shop = await service.tenant()
    const from = ['--from', 'shopify']
    expect(await importSample(shop, 'shopify.csv', from)).toMatchObject({ lines: 5, created: 5, rejected: 0 })
    expect(await treeOf(shop)).toContain('Apparel & Accessories > Clothing > Shirts & Tops')
    const products = await productsOf(shop)
    expect(products['linen-tee']).toMatchObject({
      name: 'Linen tee',
      variant_axes: ['Color', 'Size'],
      variants: { count: 2, in_stock: 2 },
      attributes: { vendor: 'Lumen', type: 'Tees', tags: ['linen', 'summer'] },
      media: [{ alt: 'A tee on a chair' }, {}, { url: 'https://shop.example/tee-back.jpg' }],
    })
    expect(products['TEE-RED-S']).toMatchObject({
      parent: { sku: 'linen-tee' },
      price: 24,
      attributes: { Color: 'Red', Size: 'S', weight_g: 180, barcode: '4006381333931' },
      media: [{ url: 'https://shop.example/tee-red.jpg' }],
    })
    expect(products['linen-tee-Blue-S']).toMatchObject({ inventory: { backorders: true } })
    expect(products['LAMP-1']).toMatchObject({ product_type: 'simple', status: 'inactive', parent: null })
    expect(products['guide-to-light']).toMatchObject({ product_type: 'virtual', status: 'pending' })
    await expectUnchanged(shop, 'shopify.csv', from)
  })
})

test("Shopify's newer column names are supported", { tags: 'slow' }, async () => {
  const shop = await service.tenant()
  await importSample(shop, 'shopify.csv', ['--from', 'shopify'])
  const newer = readFileSync('docs/samples/shopify.csv', 'utf8')
    .replace('Handle,Title,Body (HTML)', 'URL handle,Title,Description')
    .replace(/Option(\d) (Name|Value)/g, (_, number, word) => `Option${number} ${word.toLowerCase()}`)
    .replace('Variant SKU,Variant Grams', 'SKU,Weight value (grams)')
    .replace('Variant Inventory Tracker,Variant Inventory Qty', 'Inventory tracker,Inventory quantity')
    .replace('Variant Inventory Policy', 'Continue selling when out of stock')
    .replace('Variant Price,Variant Compare At Price', 'Price,Compare-at price')
    .replace('Variant Requires Shipping', 'Requires shipping')
    .replace('Image Src,Image Position,Image Alt Text', 'Product image URL,Image position,Image alt text')
    .replace('Variant Image,', 'Variant image URL,')
    .replace('Product Category', 'Product category')
    .replace(',Published,', ',Published on online store,')
    .replace('Variant Barcode', 'Barcode')
  const file = written('shopify.csv', newer)
  const again = await catalogJson(['import', file, '--project', String(shop.project), '--from', 'shopify'])
  expect(again).toMatchObject({ lines: 5, unchanged: 5 })
})

test('fields without a column in the file do not change', async () => {
  const shop = await service.tenant()
  await importSample(shop, 'shopify.csv', ['--from', 'shopify'])
  const file = written(
    'prices.csv',
    'Handle,Title,Variant SKU,Variant Price\ndesk-lamp,Desk lamp,LAMP-1,59.9\n',
  )
  await catalogJson(['import', file, '--project', String(shop.project), '--from', 'shopify'])
  expect((await productsOf(shop))['LAMP-1']).toMatchObject({
    price: 59.9,
    status: 'inactive',
    description: '<p>A lamp for desks.</p>',
    media: [{ url: 'https://shop.example/lamp-1.jpg' }],
    inventory: { quantity: 12 },
  })
})

test('separated rows of a handle are rejected with advice, and products that share a SKU stay separate', async () => {
  const shop = await service.tenant()
  const rows = [
    'Handle,Title,Variant SKU,Option1 Name,Option1 Value',
    'a,A,A-1,Size,S',
    'b,B,B-1,,',
    'c,C,B-1,,',
    'a,,A-2,,M',
  ]
  const file = written('shopify.csv', `${rows.join('\n')}\n`)
  const run = await catalog([
    'import',
    file,
    '--project',
    String(shop.project),
    '--from',
    'shopify',
    '--json',
  ])
  expect(JSON.parse(run.stdout)).toMatchObject({ created: 4, rejected: 1 })
  expect(Object.keys(await productsOf(shop)).sort()).toEqual(['A-1', 'B-1', 'a', 'c'])
  expect(readFileSync(`${file}.rejected.csv`, 'utf8')).toContain('a,,A-2,,M,/name is missing: the first row')
})

test('a Vendure file is imported: rows without a name are variants of the product above', async () => {
  const shop = await service.tenant()
  const from = ['--from', 'vendure', '--media-base', 'https://shop.example/assets']
  expect(await importSample(shop, 'vendure.csv', from)).toMatchObject({
    lines: 4,
    created: 4,
    rejected: 0,
    cells: { dropped: 0 },
  })
  const products = await productsOf(shop)
  expect(products['linen-tee']).toMatchObject({
    name: 'Linen tee',
    description: 'Light, airy and "soft"',
    product_type: 'configurable',
    variant_axes: ['size', 'color'],
    variants: { count: 2 },
    categories: [{ name: 'Clothing' }],
    attributes: { brand: 'Lumen', keywords: ['linen', 'summer'] },
    media: [{ url: 'https://shop.example/assets/tee.jpg' }, {}],
  })
  expect(products['TEE-RED-S']).toMatchObject({
    name: 'Linen tee - S / Red',
    parent: { sku: 'linen-tee' },
    price: 24,
    attributes: { size: 'S', color: 'Red', season: 'Summer', weight: 180, tax_category: 'standard' },
    inventory: { tracked: true, quantity: 4 },
  })
  expect(products['TEE-RED-M']).toMatchObject({ inventory: { tracked: false } })
  expect(products['834444']).toMatchObject({ product_type: 'simple', parent: null, name: 'Desk lamp' })
  await expectUnchanged(shop, 'vendure.csv', from)
})

test('parents are linked to their variants, wherever they are in a file of several batches', {
  tags: 'slow',
}, async () => {
  const shop = await service.tenant()
  // A batch is 8 MiB at most.
  const filler = Array.from({ length: 100 }, (_, index) => ({
    sku: `F-${index}`,
    name: 'F',
    description: 'x'.repeat(90_000),
  }))
  const variant = (sku: string, size: string) => ({
    sku,
    name: sku,
    parent: { sku: 'P' },
    attributes: { size },
  })
  const parent = { sku: 'P', name: 'P', product_type: 'configurable', variant_axes: ['size'] }
  const lines = [variant('V-1', 'S'), variant('V-2', 'S'), variant('V-3', 'M'), ...filler, parent]
  const file = written('products.ndjson', lines.map((line) => JSON.stringify(line)).join('\n'))
  const run = await catalog(['import', file, '--project', String(shop.project), '--json'])
  expect(JSON.parse(run.stdout)).toMatchObject({ lines: 104, created: 103, rejected: 1 })
  expect(readFileSync(`${file}.rejected.ndjson`, 'utf8')).toContain('duplicate_variant')
})

describe('a map', () => {
  test('imports Magento exports: variants, bundles, groups, links, category trees, multiple values', {
    tags: 'slow',
  }, async () => {
    const shop = await service.tenant()
    const map = ['--map', 'magento', '--media-base', 'https://shop.example/media/']
    expect(await importSample(shop, 'magento.csv', map)).toMatchObject({ lines: 9, created: 9, rejected: 0 })
    expect(await treeOf(shop)).toEqual(
      expect.arrayContaining(['Default Category > Home > Lighting', 'Default Category > Office > Lighting']),
    )
    const products = await productsOf(shop)
    expect(products['TEE']).toMatchObject({
      name: 'Linen tee',
      variants: { count: 2 },
      variant_axes: ['color', 'size'],
      attributes: { care: 'Wash cold, dry flat', material: ['Linen', 'Cotton'] },
      media: [{ url: 'https://shop.example/media/t/e/tee.jpg' }, {}],
    })
    expect(products['TEE-RED-M']).toMatchObject({ parent: { sku: 'TEE' }, inventory: { backorders: true } })
    expect(products['LAMP-KIT']).toMatchObject({
      product_type: 'bundle',
      status: 'inactive',
      components: [
        { sku: 'LAMP-1', quantity: 1, choice: 'Lamp', default: true },
        { sku: 'BULB', quantity: 2, choice: 'Bulb', default: true },
        { sku: 'BULB-WARM', quantity: 2, choice: 'Bulb' },
      ],
    })
    expect(products['DESK-SET']).toMatchObject({ components: [{ sku: 'LAMP-1' }, { sku: 'BULB' }] })
    expect(products['LAMP-1']).toMatchObject({
      links: { related: [{ sku: 'TEE' }], upsell: [{ id: null, sku: 'LAMP-2' }] },
    })
    await expectUnchanged(shop, 'magento.csv', map)
    const dry = await importSample(shop, 'magento.csv', [...map, '--dry-run'])
    expect(dry.dropped).toContainEqual({
      column: 'name',
      reason: 'row skipped by store_view_code',
      cells: 1,
    })
  })

  test('imports Akeneo exports of models and products', { tags: 'slow' }, async () => {
    const shop = await service.tenant()
    const map = ['--map', 'akeneo', '--media-base', 'https://pim.example']
    await importSample(shop, 'akeneo-product-models.csv', map)
    expect(await importSample(shop, 'akeneo-products.csv', map)).toMatchObject({ created: 3, rejected: 0 })
    const products = await productsOf(shop)
    expect(products['TEE']).toMatchObject({
      product_type: 'configurable',
      status: 'active',
      variants: { count: 2 },
    })
    expect(products['TEE-RED-S']).toMatchObject({
      name: 'Linen tee, red, S',
      price: 24,
      parent: { sku: 'TEE' },
      categories: [{ name: 'clothing' }, { name: 'tees' }],
      attributes: { weight: 180, 'weight-unit': 'GRAM', 'name-fr_FR': 'T-shirt en lin' },
    })
    expect(products['LAMP-1']).toMatchObject({
      links: { cross_sell: [{ sku: 'BULB' }, { sku: 'TEE-RED-S' }] },
    })
    await expectUnchanged(shop, 'akeneo-products.csv', map)
  })

  test('of your own splits cells, joins paths, adds units, and sets constants', async () => {
    const shop = await service.tenant()
    const map = {
      columns: {
        Number: 'sku',
        Title: 'name',
        Colors: { field: 'attributes.color', split: '/' },
        Weight: { field: 'attributes.weight', unit: 'kg' },
        Groups: { field: 'categories', split: ';', path: '>' },
        Main: 'parent',
        State: { field: 'status', values: { on: 'active', '*': 'inactive' } },
        'Text *': 'attributes.text_*',
        Internal: null,
      },
      constant: { 'attributes.brand': 'Lumen', 'inventory.tracked': false },
      skip: { Kind: 'spare part' },
      ignore: ['Kind'],
    }
    const rows = [
      'Number,Title,Colors,Weight,Groups,Main,State,Text de,Text en,Internal,Kind',
      'N-1,One,red/blue,1.5,A > B; C,,on,Eins,One,secret,',
      'N-2,Two,red,,,,off,,,,',
      'N-3,Three,,,,,on,,,,spare part',
    ]
    const options = ['--map', written('map.json', JSON.stringify(map)), '--project', String(shop.project)]
    const file = written('products.csv', rows.join('\n'))
    const dry = await catalogJson(['import', file, ...options, '--dry-run'])
    expect(dry).toMatchObject({ created: 2, cells: { dropped: 5 } })
    expect(dry.dropped).toContainEqual({ column: 'Internal', reason: 'set to null in the map', cells: 1 })
    expect(dry.dropped).toContainEqual({ column: 'Title', reason: 'row skipped by Kind', cells: 1 })
    await catalogJson(['import', file, ...options])
    const products = await productsOf(shop)
    expect(products['N-1']).toMatchObject({
      attributes: { color: ['red', 'blue'], weight_kg: 1.5, text_de: 'Eins', text_en: 'One', brand: 'Lumen' },
      status: 'active',
      inventory: { tracked: false },
    })
    expect(products['N-2']).toMatchObject({ attributes: { color: 'red' }, status: 'inactive' })
    expect(await treeOf(shop)).toEqual(['A', 'A > B', 'C'])
  })

  test('reports all errors and all unknown columns at once', async () => {
    const shop = await service.tenant()
    const project = ['--project', String(shop.project)]
    const file = written('products.csv', 'sku,name,Color,Year\nA,A,red,1999\n')
    const messageFor = async (map: unknown) =>
      (await catalog(['import', file, ...project, '--map', written('map.json', JSON.stringify(map))])).stderr
    const columns = {
      sku: 'skuu',
      name: { field: 'name', path: '>', splitt: ',' },
      Color: { field: 'attributes.c', unit: '' },
    }
    const message = await messageFor({ columns, constant: { prize: 1 } })
    for (const part of [
      'columns/sku/field must be one of sku, name',
      'columns/name/splitt is not a field',
      'columns/Color/unit must not be empty',
      'columns/name path applies only to categories, not to name',
      'constant/prize is not a field',
      'must assign one column to sku',
    ])
      expect(message).toContain(part)
    const known = { columns: { sku: 'sku', name: 'name' } }
    expect(await messageFor(known)).toContain('does not contain these columns: "Color", "Year"')
    const options = ['--map', written('map.json', JSON.stringify(known)), '--rest', 'attributes']
    await catalogJson(['import', file, ...project, ...options])
    expect((await productsOf(shop))['A']).toMatchObject({ attributes: { Color: 'red', Year: 1999 } })
  })
})
