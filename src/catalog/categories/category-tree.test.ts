import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import type { ListedCategory } from './category.schema.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
})

const send = (method: string, path: string, body?: unknown) =>
  shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })

async function make(name: string, parent: number | null = null): Promise<number> {
  const { body } = await send('POST', '/categories', { name, parent })
  return body.id
}

type Node = { name: string; products: number; children: Node[] }
const shape = ({ name, products, children }: Node): unknown => [name, products, ...children.map(shape)]
const tree = async (query = '') =>
  (await send('GET', `/categories/tree${query}`)).body.results.map(shape) as unknown[]

const product = (sku: string, categories: unknown[]) =>
  send('POST', '/products', { sku, name: sku, categories })

describe('a category', () => {
  test('is at the root or below another, and shows its path', async () => {
    const home = await make('Home')
    const created = await send('POST', '/categories', { name: 'Lamps', parent: home, position: 3 })
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ parent: home, path: ['Home', 'Lamps'], position: 3 })
    const read = await send('GET', `/categories/${created.body.id}`)
    expect(read.body).toEqual({ ...created.body, products: 0, products_under: 0 })
    const { body } = await send('GET', `/categories?parent=${home}`)
    expect([body.count, body.results]).toEqual([1, [created.body]])
    expect((await send('GET', '/categories?parent__isnull=true')).body.count).toBe(1)
    expect((await send('GET', '/categories?search=LAMP')).body.results).toEqual([created.body])
    expect((await send('GET', `/categories?id__in=${created.body.id},0`)).body.results).toEqual([
      created.body,
    ])
  })

  test('has a name that is unique among its siblings, but not in the tree', async () => {
    const garden = await make('Garden')
    const first = await send('POST', '/categories', { name: 'Chairs', parent: garden })
    const again = await send('POST', '/categories', { name: 'Chairs', parent: garden })
    expect([again.status, again.body.code, again.body.existing_id]).toEqual([
      409,
      'duplicate_name',
      first.body.id,
    ])
    const root = await send('POST', '/categories', { name: 'Chairs' })
    expect(root.status).toBe(201)
    const moved = await send('PATCH', `/categories/${root.body.id}`, { parent: garden })
    expect([moved.status, moved.body.code, moved.body.existing_id]).toEqual([
      409,
      'duplicate_name',
      first.body.id,
    ])
  })

  test('moves with its subcategories, in one change that does not affect products', async () => {
    const [from, to] = [await make('From'), await make('To')]
    const inner = await make('Inner', from)
    const leaf = await make('Leaf', inner)
    const { body: before } = await product('MOVED', [leaf])
    const moved = await send('PATCH', `/categories/${inner}`, { parent: to, position: 2 })
    expect(moved.body).toMatchObject({ parent: to, path: ['To', 'Inner'], position: 2 })
    expect((await send('GET', `/categories/${leaf}`)).body.path).toEqual(['To', 'Inner', 'Leaf'])
    expect((await send('GET', `/products/${before.id}`)).body).toEqual(before)
    expect((await send('PATCH', `/categories/${inner}`, { parent: null })).body.path).toEqual(['Inner'])
  })

  test('cannot move below itself, below an unknown category, or deeper than 10 levels', async () => {
    const chain = [await make('1')]
    for (let depth = 2; depth <= 10; depth += 1) chain.push(await make(String(depth), chain.at(-1)))
    const codeOf = async (response: ReturnType<typeof send>) => {
      const { status, body } = await response
      return [status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]
    }
    expect(await codeOf(send('PATCH', `/categories/${chain[2]}`, { parent: chain[2] }))).toEqual([
      422,
      '/parent',
      'category_cycle',
    ])
    expect(await codeOf(send('PATCH', `/categories/${chain[2]}`, { parent: chain[7] }))).toEqual([
      422,
      '/parent',
      'category_cycle',
    ])
    expect(await codeOf(send('POST', '/categories', { name: '11', parent: chain[9] }))).toEqual([
      422,
      '/parent',
      'too_deep',
    ])
    const other = await make('Other')
    await make('Below', other)
    expect(await codeOf(send('PATCH', `/categories/${other}`, { parent: chain[8] }))).toEqual([
      422,
      '/parent',
      'too_deep',
    ])
    expect(await codeOf(send('PATCH', `/categories/${other}`, { parent: 987654321 }))).toEqual([
      422,
      '/parent',
      'unknown_category',
    ])
    expect((await send('DELETE', `/categories/${other}`)).body.code).toBe('category_in_use')
  })
})

describe('a product names a category', () => {
  beforeEach(async () => {
    await product('P', [{ path: ['Home', 'Lamps'] }, { path: ['Garden', 'Lamps'] }, { name: 'Sale' }])
  })
  const named = async (sku: string, categories: unknown[]) => {
    const { body } = await product(sku, categories)
    const ids = (body.categories as { id: number }[]).map(({ id }) => id)
    return Promise.all(ids.map(async (id) => (await send('GET', `/categories/${id}`)).body.path.join('/')))
  }

  test('by its path, which is created if missing, and shown as {id, name}', async () => {
    const { body } = await product('BY-PATH', [{ path: ['Home', ' Lamps '] }, { path: ['Home'] }])
    expect(body.categories).toEqual([
      { id: expect.any(Number), name: 'Lamps' },
      { id: expect.any(Number), name: 'Home' },
    ])
    expect(await named('DEEP', [{ path: ['A', 'B', 'C'] }, { name: 'C', path: ['A', 'C'] }])).toEqual([
      'A/B/C',
      'A/C',
    ])
  })

  test.each([
    ['an empty name', { path: ['Home', ' '] }, '/categories/0/path/1', 'too_short'],
    ['too many names', { path: [...'abcdefghijk'] }, '/categories/0/path', 'too_many'],
    ['a name that is a number', { name: 5 }, '/categories/0/name', 'invalid_type'],
    ['an ID in quotes', { id: '5' }, '/categories/0/id', 'invalid_type'],
    ['neither', { label: 'Home' }, '/categories/0', 'invalid_format'],
  ])('and an error points to %s', async (_what, category, pointer, code) => {
    const { status, body } = await product('REFUSED', [category])
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code })]])
  })

  test('by a name: the root category, or otherwise the only one; a new one is created at the root', async () => {
    await product('ONLY', [{ path: ['A', 'B'] }])
    expect(await named('NAME-1', [{ name: 'Sale' }, { name: 'B' }, { name: 'New' }])).toEqual([
      'Sale',
      'A/B',
      'New',
    ])
    await product('ROOT', [{ path: ['B'] }])
    expect(await named('NAME-2', [{ name: 'B' }])).toEqual(['B'])
  })

  test('by a name that several categories have: 422 with their paths, in a push only for its line', async () => {
    const { status, body } = await product('AMBIGUOUS', [{ name: 'Sale' }, { name: 'Lamps' }])
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          pointer: '/categories/1',
          code: 'ambiguous_category',
          message: expect.stringMatching(
            /^2 categories are named "Lamps": \d+ \["Garden","Lamps"\], \d+ \["Home","Lamps"\]; identify one by its ID or path$/,
          ),
        },
      ],
    ])
    const pushed = await send('POST', '/products/bulk', [
      { sku: 'L-1', name: 'L', categories: [{ name: 'Lamps' }] },
      { sku: 'L-2', name: 'L', categories: [{ path: ['Pushed', 'Lamps'] }] },
      { sku: 'L-3', name: 'L', categories: [{ path: ['Pushed', 'Lamps'], name: 'Lights' }] },
    ])
    expect(pushed.body.results.map((line: { outcome: string }) => line.outcome)).toEqual([
      'rejected',
      'created',
      'rejected',
    ])
    expect(pushed.body.results[0].errors[0].code).toBe('ambiguous_category')
    expect(pushed.body.results[2].errors[0]).toMatchObject({
      pointer: '/categories/0/name',
      code: 'category_mismatch',
    })
  })

  test('by a name that the same push creates by path: that category, and 422 if it creates several', async () => {
    const lines = [
      { sku: 'F-1', name: 'F', categories: [{ path: ['Fresh', 'Own'] }, { name: 'Own' }] },
      { sku: 'F-2', name: 'F', categories: [{ name: 'Own' }] },
      { sku: 'F-3', name: 'F', categories: [{ path: ['Other', 'Own'] }] },
      { sku: 'F-4', name: 'F', categories: [{ name: 'Own' }] },
      { sku: 'F-5', name: 'F', categories: [{ path: ['Own'] }] },
      { sku: 'F-6', name: 'F', categories: [{ name: 'Own' }] },
    ]
    for (const query of ['?dry_run=true', '']) {
      const { body } = await send('POST', `/products/bulk${query}`, lines)
      const outcomes = body.results.map((line: { outcome: string }) => line.outcome)
      expect(outcomes).toEqual(['created', 'created', 'created', 'rejected', 'created', 'created'])
      expect(body.results[3].errors[0].code).toBe('ambiguous_category')
    }
    const { text } = await send('GET', '/products/export?search=F-')
    const exported = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(
      exported.map(({ categories }) =>
        categories.map(({ path }: { path: string[] }) => path.join('/')).join(),
      ),
    ).toEqual(['Fresh/Own', 'Fresh/Own', 'Other/Own', 'Own', 'Own'])
  })

  test('as before for clients with a flat list, and a rejected line creates no category', async () => {
    const before = (await send('GET', '/categories')).body.count
    const line = { sku: 'FLAT', name: 'Flat', categories: [{ name: 'Flat' }], price: -1 }
    await send('POST', '/products/bulk', [line, { ...line, categories: [{ path: ['X', 'Y'] }] }])
    expect((await send('GET', '/categories')).body.count).toBe(before)
    const dry = await send('POST', '/products/bulk?dry_run=true', [
      { sku: 'DRY', name: 'Dry', categories: [{ path: ['X', 'Y'] }] },
    ])
    expect(dry.body.summary.created).toBe(1)
    expect((await send('GET', '/categories')).body.count).toBe(before)
  })

  test.each([
    [{ path: [] }],
    [{ path: [''] }],
    [{ path: 'Home' }],
    [{ path: Array(11).fill('x') }],
    [{ id: 1, path: ['Home'] }],
  ])('but not by %j', async (reference) => {
    expect((await product('BAD', [reference])).status).toBe(422)
  })
})

describe('the tree', () => {
  const idOf = async (name: string) =>
    (await send('GET', `/categories?search=${name}`)).body.results[0].id as number
  beforeEach(async () => {
    await product('1', [{ path: ['Home', 'Lamps'] }, { path: ['Home', 'Lamps', 'Desk'] }])
    await product('2', [{ path: ['Home', 'Lamps', 'Desk'] }, { name: 'Sale' }])
    await product('3', [{ path: ['Home'] }])
    await product('4', [])
  })

  test('shows every category in order, with its product count', async () => {
    expect(await tree()).toEqual([
      ['Home', 1, ['Lamps', 1, ['Desk', 2]]],
      ['Sale', 1],
    ])
    const [sale, home] = [await idOf('sale'), await idOf('home')]
    await send('PATCH', `/categories/${home}`, { position: 1 })
    expect(await tree('?depth=1')).toEqual([
      ['Sale', 1],
      ['Home', 1],
    ])
    expect(await tree(`?parent=${home}`)).toEqual([['Lamps', 1, ['Desk', 2]]])
    expect(await tree(`?parent=${sale}`)).toEqual([])
    expect((await send('GET', '/categories/tree?parent=987654321')).status).toBe(404)
  })

  test('can be read level by level, in order, with counts', async () => {
    const level = async (query: string) => {
      const { body } = await send('GET', `/categories?expand=counts&ordering=position,name&${query}`)
      return body.results.map((row: ListedCategory) => [row.name, row.products, row.children])
    }
    await send('PATCH', `/categories/${await idOf('home')}`, { position: 1 })
    expect(await level('parent__isnull=true')).toEqual([
      ['Sale', 1, 0],
      ['Home', 1, 1],
    ])
    const { results } = (await send('GET', '/categories?search=lamps')).body
    expect(results[0]).not.toHaveProperty('products')
    expect(await level(`parent=${results[0].id}`)).toEqual([['Desk', 2, 0]])
  })

  test('with subtree counts, sums the products of all categories below it', async () => {
    const { body } = await send('GET', '/categories?expand=subtree_counts&ordering=position')
    const sums = body.results.map((row: ListedCategory) => [row.name, row.products, row.subtree_products])
    expect(sums).toEqual(
      expect.arrayContaining([
        ['Home', 1, 4],
        ['Lamps', 1, 3],
        ['Desk', 2, 2],
      ]),
    )
  })

  test('is sorted by natural name, so that numbers are in order of their value', async () => {
    const { call } = await service.tenant()
    const names = ['Size 10', 'size 9', 'Size 2.5', 'Size 2', 'Size 010b']
    for (const name of names) await call('/v2/categories', { method: 'POST', body: { name } })
    const { body } = await call('/v2/categories?ordering=natural_name')
    expect(body.results.map(({ name }: ListedCategory) => name)).toEqual([
      'Size 2',
      'Size 2.5',
      'size 9',
      'Size 10',
      'Size 010b',
    ])
  })

  test('counts a product once below a category, and category__under lists it once', async () => {
    const counts = async (name: string) => {
      const { body } = await send('GET', `/categories/${await idOf(name)}`)
      return [body.products, body.products_under]
    }
    expect(await counts('Home')).toEqual([1, 3])
    expect(await counts('Lamps')).toEqual([1, 2])
    expect(await counts('Desk')).toEqual([2, 2])
    const skus = async (query: string) => {
      const { body } = await send('GET', `/products?${query}`)
      expect(body.count).toBe(body.results.length)
      return body.results.map(({ sku }: { sku: string }) => sku)
    }
    expect(await skus(`category__under=${await idOf('Home')}`)).toEqual(['1', '2', '3'])
    expect(await skus(`category__under=${await idOf('Lamps')}&ordering=-sku`)).toEqual(['2', '1'])
    expect(await skus(`category=${await idOf('Home')}`)).toEqual(['3'])
    expect(await skus('category__under=987654321')).toEqual([])
    const { text } = await send('GET', `/products/export?category__under=${await idOf('Desk')}`)
    expect(text.trim().split('\n')).toHaveLength(2)
  })

  test('is preserved by an export and an import into another project, as NDJSON and as CSV', async () => {
    await product('odd', [{ path: ['A/B|C\\', 'D'] }, { path: ['Sale', 'Lamps'] }])
    const { text } = await send('GET', '/products/export')
    const csv = (await send('GET', '/products/export?format=csv')).text
    expect(csv.split('\r\n')[0] ?? csv.split('\n')[0]).toContain('category_paths,categories')
    expect(csv).toContain('A\\/B\\|C\\\\/D|Sale/Lamps')
    const wanted = await tree()
    shop = await service.tenant()
    await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect((await tree()).map(String).sort()).toEqual(wanted.map(String).sort())
    const withoutIds = (lines: string) => lines.replaceAll(/,"id":\d+/g, '')
    expect(withoutIds((await send('GET', '/products/export')).text)).toBe(withoutIds(text))
  })
})

describe('a category that is merged into another', () => {
  test('moves its products, each with a version and history, and its subcategories', async () => {
    await product('A', [{ path: ['Old'] }, { name: 'Sale' }])
    await product('B', [{ path: ['New'] }, { path: ['Old'] }])
    await product('C', [{ path: ['Old', 'Child'] }])
    const ids = new Map(
      (await send('GET', '/categories')).body.results.map(({ name, id }: { name: string; id: number }) => [
        name,
        id,
      ]),
    )
    const merged = await send('POST', `/categories/${ids.get('Old')}/merge`, { into: ids.get('New') })
    expect([merged.status, merged.body]).toEqual([200, { into: ids.get('New'), products: 2, children: 1 }])
    expect(await tree()).toEqual([
      ['New', 2, ['Child', 1]],
      ['Sale', 1],
    ])
    const { body: a } = await send('GET', '/products/by-sku/A')
    expect([a.version, a.categories.map(({ name }: { name: string }) => name)]).toEqual([2, ['New', 'Sale']])
    const { body: history } = await send('GET', `/products/${a.id}/history`)
    expect(history.results[0]).toMatchObject({ version: 2, source: 'api' })
    expect((await send('GET', '/products/by-sku/B')).body.categories).toHaveLength(1)
    expect((await send('GET', '/products/by-sku/C')).body.version).toBe(1)
    expect((await send('GET', `/categories/${ids.get('Old')}`)).status).toBe(404)
  })

  test('moves its rules and definitions, and a category with rules cannot be deleted', async () => {
    const [old, next] = [await make('Demanding'), await make('Successor')]
    const required_for = { product_types: [], categories: [old] }
    await send('POST', '/attributes', { name: 'volt', type: 'number', mode: 'enforce', required_for })
    const rule = { code: 'demanded', kind: 'price_present', points: 1, categories: [old] }
    await send('PUT', '/quality-rules', { rules: [rule] })
    const rejected = await send('DELETE', `/categories/${old}`)
    expect([rejected.status, rejected.body.detail]).toEqual([409, expect.stringContaining('attribute volt')])
    expect((await send('POST', `/categories/${old}/merge`, { into: next })).status).toBe(200)
    const active = { sku: 'ACTIVE', name: 'A', status: 'active', categories: [next] }
    expect((await send('POST', '/products', active)).body.errors[0].pointer).toBe('/attributes/volt')
    const { body: rules } = await send('GET', '/quality-rules')
    expect(rules.rules[0].categories).toEqual([next])
    const { body: definitions } = await send('GET', '/attributes')
    const again = await send('PUT', '/attributes', { attributes: definitions.results })
    expect([again.status, again.body.unchanged]).toEqual([200, 1])
  })

  test('can be replaced by a subcategory with the same name', async () => {
    const above = await make('Above')
    const twice = await make('Twice', above)
    await make('Twice', twice)
    const merged = await send('POST', `/categories/${twice}/merge`, { into: above })
    expect([merged.status, merged.body]).toEqual([200, { into: above, products: 0, children: 1 }])
    expect(await tree()).toContainEqual(['Above', 0, ['Twice', 0]])
  })

  test('requires that the tree allows it', async () => {
    const [one, two] = [await make('One'), await make('Two')]
    const child = await make('Same', one)
    await make('Same', two)
    const merge = async (id: number, into: number) => {
      const { status, body } = await send('POST', `/categories/${id}/merge`, { into })
      return [status, body.errors?.[0]?.code ?? body.code]
    }
    expect(await merge(one, two)).toEqual([409, 'duplicate_name'])
    expect(await merge(one, one)).toEqual([422, 'category_cycle'])
    expect(await merge(one, child)).toEqual([422, 'category_cycle'])
    expect(await merge(one, 987654321)).toEqual([422, 'unknown_category'])
    expect(await merge(987654321, one)).toEqual([404, 'not_found'])
    expect(await merge(child, one)).toEqual([200, undefined])
  })
})
