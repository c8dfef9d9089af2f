import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

async function shopWith(views: Record<string, object>): Promise<Tenant> {
  const shop = await service.tenant()
  for (const [code, view] of Object.entries(views)) {
    const { status, text } = await shop.call(`/v2/views/${code}`, {
      method: 'PUT',
      body: { label: code, ...view },
    })
    expect(status, text).toBeLessThan(300)
  }
  return shop
}

const importFile = (shop: Tenant, file: string, options: string[] = []) =>
  catalogJson(['import', file, '--project', String(shop.project), ...options])

/** The values in views, by SKU. */
async function viewsOf(shop: Tenant): Promise<Record<string, unknown>> {
  const results: { id: number; sku: string }[] = (await shop.call('/v2/products')).body.results
  const found = results.map(async ({ id, sku }) => [
    sku,
    (await shop.call(`/v2/products/${id}?expand=views`)).body.views,
  ])
  return Object.fromEntries(await Promise.all(found))
}

const markets = { de: { locale: 'de-DE' }, ch: { locale: 'de-CH', currency: 'CHF', falls_back_to: ['de'] } }
const lines = [
  {
    sku: 'A',
    name: 'Lamp',
    price: 5,
    attributes: { 'contact@de': 'x', color: 'red' },
    views: {
      de: { name: 'Lampe', description: 'null', attributes: { color: 'rot', 'odd.name@ch': '7', n: 7 } },
      ch: { price: 9.5, status: 'inactive', media: [{ url: 'https://shop.example/a.jpg', alt: 'Lampe' }] },
    },
  },
  { sku: 'B', name: 'Desk' },
]

test.each(['csv', 'ndjson'])(
  'an export as %s that is imported into a project with the same views has the same values',
  { tags: 'slow' },
  async (format) => {
    const [source, target] = await Promise.all([shopWith(markets), shopWith(markets)])
    await source.call('/v2/products/bulk', { method: 'POST', body: lines })
    const file = join(temporaryFolder(), `products.${format}`)
    const exported = await catalogJson([
      ...[
        'export',
        '--project',
        String(source.project),
        '--format',
        format,
        '--views',
        'all',
        '--output',
        file,
      ],
    ])
    expect(exported.products).toBe(2)
    expect(await importFile(target, file)).toMatchObject({ created: 2, rejected: 0 })
    expect(await viewsOf(target)).toEqual(await viewsOf(source))
    expect((await viewsOf(target))['A']).toMatchObject(lines[0]?.views as object)
    const { body } = await target.call('/v2/products/by-sku/A')
    expect(body.attributes).toEqual({ 'contact@de': 'x', color: 'red' })
  },
)

test('a file has the requested views, an empty cell changes nothing, and null falls back', {
  tags: 'slow',
}, async () => {
  const shop = await shopWith(markets)
  await shop.call('/v2/products/bulk', { method: 'POST', body: lines })
  const exported = (query: string) => shop.call(`/v2/products/export?format=csv${query}`)
  const [header = ''] = (await exported('')).text.split('\n')
  expect(header.split(',').filter((column) => column.includes('@'))).toEqual(['attributes.contact\\@de'])
  expect((await exported('&views=ch')).text.split('\n')[0]).toMatch(/,price@ch,/)
  expect((await exported('&columns=sku,name@de,price@ch,attributes.color@de')).text).toBe(
    'sku,name@de,price@ch,attributes.color@de\nA,Lampe,9.5,rot\nB,,,\n',
  )
  const [first = ''] = (await shop.call('/v2/products/export?views=de')).text.split('\n')
  expect(Object.keys(JSON.parse(first).views)).toEqual(['de'])
  for (const query of ['&views=fr', '&columns=sku,name@fr', '&columns=sku,sku@de', '&columns=sku&views=de'])
    expect((await exported(query)).body).toMatchObject({ status: 400, code: 'invalid_parameters' })

  const file = join(temporaryFolder(), 'changes.csv')
  writeFileSync(file, 'sku,name@de,price@ch\nA,,null\n')
  expect(await importFile(shop, file)).toMatchObject({ updated: 1, rejected: 0 })
  expect((await viewsOf(shop))['A']).toMatchObject({ de: { name: 'Lampe' }, ch: { status: 'inactive' } })
  expect((await shop.call('/v2/products/by-sku/A?view=ch')).body).toMatchObject({
    price: null,
    currency: 'CHF',
  })
  writeFileSync(file, 'sku,name@fr\nA,x\n')
  const wrong = await catalog(['import', file, '--project', String(shop.project)])
  expect(wrong.stderr).toContain('unknown column "name@fr"')
})

test('languages, channels and currencies of Akeneo become values in views', { tags: 'slow' }, async () => {
  const shop = await shopWith({ fr: { locale: 'fr-FR' }, us: { currency: 'USD' } })
  const map = ['--map', 'akeneo', '--media-base', 'https://pim.example', '--locale', 'en_US']
  await importFile(shop, 'docs/samples/akeneo-product-models.csv', map)
  expect(await importFile(shop, 'docs/samples/akeneo-products.csv', map)).toMatchObject({ rejected: 0 })
  const { body } = await shop.call('/v2/products/by-sku/TEE-RED-S')
  expect(body).toMatchObject({ name: 'Linen tee, red, S', price: 24 })
  expect(Object.keys(body.attributes).filter((name) => /fr_FR|USD/.test(name))).toEqual([])
  expect((await viewsOf(shop))['TEE-RED-S']).toEqual({ fr: { name: 'T-shirt en lin' }, us: { price: 27 } })

  const other = await shopWith({ de: { locale: 'de-DE' }, us: { currency: 'USD' } })
  await importFile(other, 'docs/samples/akeneo', ['--from', 'akeneo', '--locale', 'en_US'])
  expect(await viewsOf(other)).toMatchObject({
    'LAMP-1': { de: { name: 'Tischlampe' } },
    'TEE-RED-S': { us: { price: 27 } },
  })
})

test('store views of Magento become values in views; a map can name others', { tags: 'slow' }, async () => {
  const shop = await shopWith({ de: {} })
  const map = ['--map', 'magento', '--media-base', 'https://shop.example/media/']
  expect(await importFile(shop, 'docs/samples/magento.csv', map)).toMatchObject({ created: 9, rejected: 0 })
  expect((await viewsOf(shop))['TEE']).toEqual({
    de: { name: 'Leinenshirt', attributes: { attribute_set: 'Top' } },
  })
  const folder = temporaryFolder()
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const own = {
    columns: { id: 'sku', 'name-*': 'name', Titel: { field: 'name', view: 'de' }, store: null },
    views: { mobile: 'de' },
    view_from: 'store',
  }
  const file = write('own.csv', 'id,name-main,store,Titel\nX,Cup,,Tasse\nX,Becher,mobile,\n')
  await importFile(shop, file, ['--map', write('map.json', JSON.stringify(own))])
  expect((await viewsOf(shop))['X']).toEqual({ de: { name: 'Becher' } })
  const unknown = write('unknown.json', JSON.stringify({ ...own, views: { mobile: 'app' } }))
  const wrong = await catalog(['import', file, '--map', unknown, '--project', String(shop.project)])
  expect(wrong.stderr).toContain('which the project does not have')
})
