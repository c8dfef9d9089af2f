import { setTimeout } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import { advisoryLocks, lockInProject } from '../../platform/database/advisory-locks.ts'
import { sql } from '../../platform/database/sql.ts'
import { databaseLimits } from '../../platform/limits/database.ts'
import { putView } from './manage-views.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  await define('de', { label: 'German', requires: ['name', 'description', 'attributes.color'] })
  await define('eu', { label: 'Europe' })
  await define('at', {
    label: 'Austria',
    locale: 'de-AT',
    falls_back_to: ['eu', 'de'],
    requires: ['name', 'price'],
  })
  await define('us', { label: 'US', currency: 'USD', requires: ['price'] })
})

const send = (method: string, path: string, body?: unknown, own = shop) =>
  own.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
const define = (code: string, body: object, own = shop) => send('PUT', `/views/${code}`, body, own)
let number = 0
async function create(fields: object = {}): Promise<number> {
  number += 1
  const { body } = await send('POST', '/products', {
    ...{ sku: `P${number}`, name: 'Mug', description: 'For tea', price: 10, attributes: { color: 'white' } },
    ...fields,
  })
  return body.id
}
const patch = async (id: number, body: object, query = '') => {
  const response = await send('PATCH', `/products/${id}${query}`, body)
  expect(response.status, response.text).toBe(200)
  return response.body
}
const read = async (id: number, query: string) => (await send('GET', `/products/${id}?${query}`)).body
const stored = async (id: number) => (await read(id, 'expand=views')).views
const firstError = ({
  status,
  body,
}: {
  status: number
  body: { errors?: { code: string }[]; code: string }
}) => [status, body.errors?.[0]?.code ?? body.code]

test('a view has the defaults, and its chain is resolved depth first, with each view once', async () => {
  const own = await service.tenant()
  const { body } = await define('x', { label: 'X' }, own)
  expect(body).toEqual({
    ...{ code: 'x', label: 'X', locale: null, currency: 'EUR', falls_back_to: [], requires: [] },
    ...{ chain: ['x', null], marked: { done: 0, total: 0 } },
  })
  await define('y', { label: 'Y', falls_back_to: ['x'] }, own)
  const { body: z } = await define('z', { label: 'Z', falls_back_to: ['y', 'x'] }, own)
  expect(z.chain).toEqual(['z', 'y', 'x', null])
  expect((await send('PUT', '/views/z', z, own)).body.chain, 'a view that was read can be sent back').toEqual(
    z.chain,
  )
  const { body: list } = await send('GET', '/views', undefined, own)
  expect(list).toMatchObject({ count: 3, results: [{ code: 'x' }, { code: 'y' }, { code: 'z' }] })
  expect((await send('GET', '/views/y', undefined, own)).body.label).toBe('Y')
})

test('invalid definitions are rejected: cycles, unknown views and fields, long chains, and too many views', {
  tags: 'slow',
}, async () => {
  const own = await service.tenant()
  await define('c0', { label: 'C' }, own)
  for (let place = 1; place < 8; place += 1)
    await define(`c${place}`, { label: 'C', falls_back_to: [`c${place - 1}`] }, own)
  const cases: [string, object, [number, string]][] = [
    ['c0', { label: 'C', falls_back_to: ['c3'] }, [422, 'cycle']],
    ['c0', { label: 'C', falls_back_to: ['c0'] }, [422, 'cycle']],
    ['c8', { label: 'C', falls_back_to: ['c7'] }, [422, 'too_many']],
    ['c8', { label: 'C', falls_back_to: ['nope'] }, [422, 'unknown_view']],
    ['c8', { label: 'C', requires: ['sku'] }, [422, 'not_in_views']],
    ['c8', { label: 'C', requires: ['colour'] }, [422, 'invalid_choice']],
    ['c8', {}, [422, 'required']],
    ['C8', { label: 'C' }, [404, 'not_found']],
  ]
  for (const [code, body, expected] of cases)
    expect(firstError(await define(code, body, own))).toEqual(expected)
  await service.database.query(sql`
    update rulesets set views = jsonb_set(views, '{definitions}', (
      select jsonb_agg(jsonb_build_object('code', 'v' || n, 'label', 'V', 'locale', null, 'currency', 'EUR', 'falls_back_to', '[]'::jsonb, 'requires', '[]'::jsonb))
      from generate_series(1, 50) as n))
    where project_id = ${own.project} and version = (select ruleset from projects where id = ${own.project})`)
  expect(firstError(await define('one_more', { label: 'V' }, own))).toEqual([409, 'view_limit'])
})

test('values are written per view, fall back along the chain, and are removed by null and empty text', async () => {
  const id = await create()
  const views = { de: { name: 'Tasse', attributes: { color: 'weiß' } }, at: { price: 12 } }
  expect(await patch(id, { views })).toMatchObject({ version: 2, name: 'Mug', price: 10 })
  expect(await stored(id)).toEqual(views)
  expect(await read(id, 'view=at')).toMatchObject({
    ...{ name: 'Tasse', description: 'For tea', price: 12, currency: 'EUR', attributes: { color: 'weiß' } },
    view: { code: 'at', from: { name: 'de', price: 'at', 'attributes.color': 'de' }, missing: [], stale: [] },
  })
  expect(await patch(id, { price: null, name: 'Häferl' }, '?view=at')).toMatchObject({
    ...{ version: 3, name: 'Häferl', price: 10 },
    view: { code: 'at', from: { name: 'at' } },
  })
  await patch(id, { views: { de: { name: '', attributes: null }, at: null } })
  expect(await stored(id)).toEqual({})
  const [row] = await service.database.query(
    sql<{ views: unknown }>`select views, view_offers from products where id = ${id}`,
  )
  expect(row).toEqual({ views: null, view_offers: null })
})

test('a request without view shows the same bytes whether a product has views or not', async () => {
  const id = await create()
  const { text } = await send('GET', `/products/${id}`)
  await service.database.query(sql`
    update products set views = '{"de": {"name": "Tasse"}}' where id = ${id}`)
  await patch(id, {})
  await service.database.query(sql`
    update projects set unrecorded_change = gen_random_uuid() where id = ${shop.project}`)
  expect((await send('GET', `/products/${id}`)).text).toBe(text)
})

test('PUT keeps the views that it leaves out, and replaces those that it has', async () => {
  const id = await create()
  await patch(id, { views: { de: { name: 'Tasse' }, at: { price: 12 } } })
  const { body: shown } = await send('GET', `/products/${id}`)
  expect((await send('PUT', `/products/${id}`, { ...shown, name: 'Cup' })).status).toBe(200)
  expect(await stored(id)).toEqual({ de: { name: 'Tasse' }, at: { price: 12 } })
  await send('PUT', `/products/${id}`, { sku: shown.sku, name: 'Cup', views: { de: { name: 'Becher' } } })
  expect(await stored(id)).toEqual({ de: { name: 'Becher' } })
  const whole = await read(id, 'view=de')
  expect(firstError(await send('PUT', `/products/${id}`, whole)), 'a view is not the base').toEqual([
    422,
    'read_only',
  ])
})

test('a configurable product shows the price range of its variants in the view, and needs no price itself', async () => {
  const parent = await create({ product_type: 'configurable', price: null, variant_axes: ['size'] })
  const { sku } = await read(parent, 'view=at')
  const variant = (size: string, price: number | null, views: object) =>
    create({ parent: { sku }, attributes: { size }, price, views })
  await variant('S', 10, { at: { price: 12 }, us: { price: 15 } })
  await variant('M', 11, { eu: { price: 9 } })
  await variant('L', null, { us: { price: 14 } })
  await variant('XL', 20, {})
  await variant('XXL', 30, { at: { status: 'archived' }, us: { price: 40, status: 'archived' } })
  const ranges = async (query: string) => {
    const [listed] = (await send('GET', `/products?sku=${sku}&expand=detail&${query}`)).body.results
    const bySku = (await send('GET', `/products/by-sku/${sku}?${query}`)).body
    return [await read(parent, query), bySku, listed].map(({ currency, variants: { price } }) => [
      currency,
      price.min,
      price.max,
    ])
  }
  expect(await ranges('')).toEqual(Array(3).fill(['EUR', 10, 30]))
  expect(await ranges('view=at')).toEqual(Array(3).fill(['EUR', 9, 20]))
  expect(await ranges('view=us')).toEqual(Array(3).fill(['USD', 14, 15]))
  expect((await read(parent, 'view=us')).view.missing).toEqual([])
  expect((await patch(parent, { name: 'Mugs' }, '?view=us')).variants.price).toEqual({ min: 14, max: 15 })
})

test('a price never changes its currency, and an archived product is archived in every view', async () => {
  const id = await create({ attributes: { sale_price: 8 } })
  expect(await read(id, 'view=us')).toMatchObject({
    ...{ price: null, currency: 'USD', attributes: {} },
    view: { missing: ['price'] },
  })
  await patch(id, { views: { us: { price: 11, status: 'active' } } })
  expect(await read(id, 'view=us')).toMatchObject({ price: 11, status: 'active', view: { missing: [] } })
  await patch(id, { status: 'archived' })
  expect((await read(id, 'view=us')).status).toBe('archived')
  expect(firstError(await define('us', { label: 'US', currency: 'CHF' }))).toEqual([409, 'view_has_prices'])
  expect(firstError(await send('DELETE', '/views/us'))).toEqual([409, 'view_in_use'])
})

describe('a price from before a change of the currency', () => {
  let own: Tenant
  let id: number
  const call = async (method: string, path: string, body?: object) => {
    const response = await send(method, path, body, own)
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }
  const defineUs = (currency: string) => call('PUT', '/views/us', { label: 'US', currency })
  const price = (values: object | null) => call('PATCH', `/products/${id}`, { views: { us: values } })
  const propose = async (values: object) =>
    (await call('POST', '/proposals', [{ sku: 'P', views: { us: values } }])).id
  const apply = (proposal: number, body = {}) => call('POST', `/proposals/${proposal}/apply`, body)
  const lineOf = async (proposal: number) => (await call('GET', `/proposals/${proposal}/lines`)).results[0]
  const undo = async (proposal: number) => {
    const { id: inverse } = await call('POST', `/proposals/${proposal}/revert`)
    await untilPrepared(service, inverse)
    return inverse
  }
  const rejected = (pointer: string) => [expect.objectContaining({ code: 'view_currency_changed', pointer })]
  const shown = async () => {
    const { price: amount, currency } = await call('GET', `/products/${id}?view=us`)
    return [amount, currency]
  }

  beforeEach(async () => {
    own = await service.tenant()
    await defineUs('USD')
    id = (await call('POST', '/products', { sku: 'P', name: 'P', views: { us: { price: 5 } } })).id
  })

  test('is not applied by an open proposal, nor by one in conflict that overwrites', {
    tags: 'slow',
  }, async () => {
    const open = await propose({ price: 7 })
    const conflict = await propose({ price: 8, attributes: { sale_price: 6 } })
    await price({ price: 9 })
    await apply(conflict)
    expect((await lineOf(conflict)).state).toBe('conflict')
    await price(null)
    await defineUs('CAD')
    await apply(open)
    expect(await lineOf(open)).toMatchObject({ state: 'rejected', errors: rejected('/views/us/price') })
    await apply(conflict, { lines: [1], overwrite: true })
    expect((await lineOf(conflict)).errors).toEqual([
      ...rejected('/views/us/price'),
      ...rejected('/views/us/attributes/sale_price'),
    ])
    const later = await propose({ price: 10 })
    await apply(later)
    expect(await shown()).toEqual([10, 'CAD'])
  })

  test('is not applied after the view was deleted and defined again', { tags: 'slow' }, async () => {
    const open = await propose({ price: 7 })
    await price(null)
    await call('DELETE', '/views/us')
    await defineUs('CAD')
    await apply(open)
    expect((await lineOf(open)).errors).toEqual(rejected('/views/us/price'))
  })

  test('is not stored by a proposal that began before the change', async () => {
    let proposing: ReturnType<typeof send> | undefined
    await service.database.transaction(async (tx) => {
      await lockInProject(tx, advisoryLocks.viewCurrencies, own.project, 'alone')
      const lines = [{ sku: 'P', views: { us: { price: 7 } } }]
      proposing = send('POST', '/proposals', lines, own)
      const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
      await expect.poll(() => tx.query(waiting)).toHaveLength(1)
      const project = { projectId: own.project, currency: 'EUR' }
      const author = { actor: 'tester', source: 'cli' } as const
      await price(null)
      await putView(tx, project, author, 'us', { label: 'US', currency: 'CAD' })
    })
    expect(firstError(await (proposing as ReturnType<typeof send>))).toEqual([409, 'view_currency_changed'])
  })

  test('is not restored by a proposal that reverts another', { tags: 'slow' }, async () => {
    const former = await propose({ price: 6 })
    await apply(former)
    await price(null)
    await defineUs('CAD')
    const inverse = await undo(former)
    await apply(inverse)
    expect((await lineOf(inverse)).errors).toEqual(rejected('/views/us/price'))

    await price({ price: 12 })
    const current = await propose({ price: 13 })
    await apply(current)
    const undone = await undo(current)
    await apply(undone)
    expect(await shown()).toEqual([12, 'CAD'])
    await apply(await undo(undone))
    expect(await shown()).toEqual([13, 'CAD'])
  })

  test('is not restored by a revert of the product, which can restore the other fields', async () => {
    await call('PATCH', `/products/${id}`, { name: 'Q', views: { us: null } })
    await defineUs('CAD')
    const revert = (body: object) => send('POST', `/products/${id}/revert`, body, own)
    expect(firstError(await revert({ version: 1 }))).toEqual([409, 'view_currency_changed'])
    expect((await revert({ version: 1, fields: ['name'] })).status).toBe(200)
    expect(await call('GET', `/products/${id}?expand=views`)).toMatchObject({ name: 'P', views: {} })
    await price({ price: 14 })
    const { version } = await call('GET', `/products/${id}`)
    await price(null)
    expect((await revert({ version })).status).toBe(200)
    expect(await shown()).toEqual([14, 'CAD'])
  })
})

describe('while a price is written', () => {
  type Held = { release: () => void; holder: number }
  const held = async (id: number, work: (row: Held) => Promise<void>) => {
    const { promise, resolve: release } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<number>()
    const holding = service.database.transaction(async (tx) => {
      const [row] = await tx.query(sql<{ holder: number }>`
        select pg_backend_pid() as holder from products where id = ${id} for update`)
      hold(row?.holder ?? 0)
      await promise
    })
    await work({ release, holder: await isHeld }).finally(release)
    await holding
  }
  /** Waits until this connection has blocked a write for so long that the write has a connection of its own. */
  const untilWaitingFor = (holder: number) =>
    expect
      .poll(() =>
        service.database.query(sql`
          select from pg_stat_activity
          where datname = current_database() and ${holder} = any(pg_blocking_pids(pid))
            and query_start < clock_timestamp() - ${2 * databaseLimits.lockMilliseconds} * interval '1 millisecond'`),
      )
      .toHaveLength(1)

  test.each([
    [
      'get another currency',
      'view_has_prices',
      (own: Tenant) => define('us', { label: 'US', currency: 'CAD' }, own),
    ],
    ['be deleted', 'view_in_use', (own: Tenant) => send('DELETE', '/views/us', undefined, own)],
  ])('its view cannot %s', { tags: 'slow' }, async (_what, code, change) => {
    const own = await service.tenant()
    await define('us', { label: 'US', currency: 'USD' }, own)
    const { body } = await send('POST', '/products', { sku: 'P', name: 'P' }, own)
    await held(body.id, async ({ release, holder }) => {
      const patched = send('PATCH', `/products/${body.id}`, { views: { us: { price: 5 } } }, own)
      await untilWaitingFor(holder)
      const changed = change(own)
      // Without a lock, the view would have changed by then.
      await Promise.race([changed, setTimeout(500)])
      release()
      expect((await patched).status).toBe(200)
      expect(firstError(await changed)).toEqual([409, code])
    })
    const create = { sku: 'P2', name: 'P', views: { us: { attributes: { sale_price: 1 } } } }
    expect((await send('POST', '/products', create, own)).status).toBe(201)
  })

  test.each(['PATCH', 'push', 'proposal'])(
    'a %s that began with the former currency is rejected',
    async (kind) => {
      const own = await service.tenant()
      await define('us', { label: 'US', currency: 'USD' }, own)
      const { body } = await send('POST', '/products', { sku: 'P', name: 'P' }, own)
      const line = { sku: 'P', categories: [{ name: 'Cups' }], views: { us: { price: 5 } } }
      const proposal = kind === 'proposal' && (await send('POST', '/proposals', [line], own)).body.id
      await held(body.id, async ({ release, holder }) => {
        const written =
          kind === 'PATCH'
            ? send('PATCH', `/products/${body.id}`, { categories: line.categories, views: line.views }, own)
            : kind === 'push'
              ? send('POST', '/products/bulk', [line], own)
              : send('POST', `/proposals/${proposal}/apply`, {}, own)
        await untilWaitingFor(holder)
        expect((await define('us', { label: 'US', currency: 'CAD' }, own)).status).toBe(200)
        release()
        expect(firstError(await written)).toEqual([409, 'view_currency_changed'])
      })
      expect((await send('GET', `/products/${body.id}`, undefined, own)).body.version).toBe(1)
    },
  )
})

test('a text is stale from the change of its source until the source returns, the text changes, or someone confirms it', async () => {
  const id = await create()
  const stale = async () => (await read(id, 'view=de')).view.stale
  await patch(id, { views: { de: { name: 'Tasse', description: 'Für Tee' } } })
  expect(await stale()).toEqual([])
  await patch(id, { name: 'Cup' })
  expect(await stale()).toEqual(['name'])
  expect((await read(id, 'view=at')).view.stale, 'where the text is shown').toEqual(['name'])
  await patch(id, { name: 'Mug' })
  expect(await stale()).toEqual([])
  const { version } = await patch(id, { name: 'Beaker', description: 'For coffee' })
  await patch(id, { views: { de: { name: 'Becher' } } })
  expect(await stale()).toEqual(['description'])
  expect(await patch(id, {}, '?view=de&confirm=description')).toMatchObject({ version: version + 2 })
  expect(await stale()).toEqual([])
  expect(firstError(await send('PATCH', `/products/${id}?view=de&confirm=price`, {}))).toEqual([
    400,
    'invalid_choice',
  ])
})

test('texts of attributes with any name can be confirmed', async () => {
  const names = ['a, b', 'a "b"', "it's", 'a.b', '100 %', 'a]', 'a\\', '\\,', 'a,,b,', 'a&b=c+d', 'ä 🫖']
  const values = (text: string) => Object.fromEntries(names.map((name) => [name, text]))
  const id = await create({ attributes: values('x'), views: { de: { attributes: values('y') } } })
  await patch(id, { attributes: values('z') })
  const { stale } = (await read(id, 'view=de')).view
  expect(stale.toSorted()).toEqual(names.map((name) => `attributes.${name}`).toSorted())
  const escaped = (field: string) => encodeURIComponent(field.replace(/[,\\]/g, '\\$&'))
  const [first, second, ...others] = stale.map(escaped)
  const { view } = await patch(id, {}, `?view=de&confirm=${first},${second}`)
  expect(view.stale).toEqual(stale.slice(2))
  const last = await patch(id, {}, `?view=de&${others.map((one: string) => `confirm=${one}`).join('&')}`)
  expect(last.view.stale).toEqual([])
})

test('a patch that repeats a text confirms it; a push, a replacement and what a client sends back do not', async () => {
  const id = await create()
  const { sku } = await read(id, '')
  const texts = { name: 'Tasse', attributes: { 'a, "b".c]': 'x %' } }
  await patch(id, { attributes: { 'a, "b".c]': 'y' }, views: { de: texts } })
  const { version } = await patch(id, { name: 'Cup', attributes: { 'a, "b".c]': 'z' } })
  const stale = async () => (await read(id, 'view=de')).view.stale.toSorted()
  const both = ['attributes.a, "b".c]', 'name']
  const { body: pushed } = await send('POST', '/products/bulk', [{ sku, views: { de: texts } }])
  expect(pushed.results[0].outcome).toBe('unchanged')
  const whole = await read(id, 'expand=views')
  expect((await send('PUT', `/products/${id}`, whole)).body.version).toBe(version)
  expect((await patch(id, whole)).version).toBe(version)
  expect(await stale()).toEqual(both)
  expect((await patch(id, { views: { de: { name: 'Tasse' } } })).version).toBe(version + 1)
  expect(await stale()).toEqual(both.slice(0, 1))
  expect((await patch(id, { attributes: texts.attributes }, '?view=de')).version).toBe(version + 2)
  expect(await stale()).toEqual([])
  expect((await patch(id, texts, '?view=de')).version, 'nothing is stale').toBe(version + 2)
  const { body: history } = await send('GET', `/products/${id}/history`)
  expect(history.results[0]).toMatchObject({ version: version + 2, after: { 'views.de': texts } })
})

test('invalid writes and reads are rejected with the place of the error', async () => {
  const id = await create()
  const cases: [string, object, [number, string]][] = [
    ['', { views: { de: { sku: 'X' } } }, [422, 'not_in_views']],
    ['?view=de', { categories: [] }, [422, 'not_in_views']],
    ['', { views: { fr: { name: 'X' } } }, [422, 'unknown_view']],
    ['?view=fr', { name: 'X' }, [400, 'unknown_view']],
    ['', { views: { de: { price: -1 } } }, [422, 'too_small']],
    ['', { views: { de: { status: 'sold' } } }, [422, 'invalid_choice']],
    ['?confirm=name', {}, [400, 'invalid_choice']],
  ]
  for (const [query, body, expected] of cases)
    expect(firstError(await send('PATCH', `/products/${id}${query}`, body)), JSON.stringify(body)).toEqual(
      expected,
    )
  for (const [query, code] of [
    ['view=fr', 'unknown_view'],
    ['view=de&resolve=parent', 'not_in_view'],
    ['view=De', 'invalid_value'],
  ])
    expect(firstError(await send('GET', `/products/${id}?${query}`))[0], code).toBe(400)
  expect(firstError(await send('GET', '/products/facets?facets=color&view=de'))).toEqual([400, 'not_in_view'])
})

test('attribute definitions and the size limit apply in views', async () => {
  const own = await service.tenant()
  await define('de', { label: 'German' }, own)
  await send('POST', '/attributes', { name: 'watt', type: 'number', mode: 'enforce' }, own)
  const { body } = await send('POST', '/products', { sku: 'A', name: 'A', views: { de: { name: 'Ä' } } }, own)
  const wrong = await send(
    'PATCH',
    `/products/${body.id}`,
    { views: { de: { attributes: { watt: 'x' } } } },
    own,
  )
  expect(wrong.body.errors).toMatchObject([{ pointer: '/views/de/attributes/watt' }])
  const large = Object.fromEntries(
    Array.from({ length: 150 }, (_, place) => [`a${place}`, 'x'.repeat(6_000)]),
  )
  const description = 'x'.repeat(90_000)
  await send('PATCH', `/products/${body.id}`, { attributes: large }, own)
  const tooLarge = await send(
    'PATCH',
    `/products/${body.id}`,
    { views: { de: { description, attributes: large } } },
    own,
  )
  expect(tooLarge.body.errors).toMatchObject([{ pointer: '/views/de', code: 'too_large' }])
})

test('history has one key per changed view, as_of shows it, and revert restores views with their fingerprints', async () => {
  const id = await create()
  await patch(id, { views: { de: { name: 'Tasse' } } })
  const { updated_at: at } = await patch(id, { name: 'Cup' })
  await patch(id, { views: { at: { price: 9 }, de: { name: 'Becher' } } })
  const { body: history } = await send('GET', `/products/${id}/history`)
  const [last] = history.results
  expect(last).toMatchObject({
    before: { 'views.at': null, 'views.de': { name: 'Tasse' } },
    after: { 'views.at': { price: 9 }, 'views.de': { name: 'Becher' } },
  })
  expect(Object.keys(last.before).toSorted()).toEqual(['views.at', 'views.de'])
  expect(await read(id, `as_of=${at}&expand=views`)).toMatchObject({ views: { de: { name: 'Tasse' } } })
  expect(await read(id, `as_of=${at}&view=at`)).toMatchObject({ name: 'Tasse', view: { stale: ['name'] } })
  await send('POST', `/products/${id}/revert`, { version: 3 })
  expect(await stored(id)).toEqual({ de: { name: 'Tasse' } })
  expect((await read(id, 'view=de')).view.stale).toEqual(['name'])
  await send('POST', `/products/${id}/revert`, { version: 1, fields: ['views.de.name'] })
  expect(await stored(id)).toEqual({})
  expect((await read(id, 'view=de')).name).toBe('Cup')
})

test('push lines, proposals and edits write views field by field, and an undo restores them', {
  tags: 'slow',
}, async () => {
  const id = await create()
  const { sku } = await read(id, '')
  const pushed = await send('POST', '/products/bulk', [
    { sku, views: { de: { name: 'Tasse', attributes: { 'a.b': 'x' } } } },
    { sku: `${sku}-new`, name: 'New', views: { de: { name: 'Neu' } } },
    { sku, views: { nope: { name: 'X' } } },
  ])
  expect(pushed.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'updated',
    'created',
    'rejected',
  ])
  const { body: proposal } = await send('POST', '/proposals', [
    { sku, views: { de: { description: 'Für Tee', attributes: { 'a.b': null } } } },
  ])
  const { body: lines } = await send('GET', `/proposals/${proposal.id}/lines`)
  expect(lines.results[0].changes).toEqual({
    'views.de.description': { before: null, after: 'Für Tee' },
    'views.de.attributes.a.b': { before: 'x', after: null },
  })
  // Another field of the view is no conflict.
  await patch(id, { views: { de: { name: 'Becher' } } })
  expect((await send('POST', `/proposals/${proposal.id}/apply`, {})).body.state).toBe('applied')
  expect(await stored(id)).toEqual({ de: { name: 'Becher', description: 'Für Tee' } })
  const { body: conflicting } = await send('POST', '/proposals', [{ sku, views: { de: { name: 'Krug' } } }])
  await patch(id, { views: { de: { name: 'Pott' } } })
  await send('POST', `/proposals/${conflicting.id}/apply`, {})
  const { body: conflict } = await send('GET', `/proposals/${conflicting.id}/lines`)
  expect(conflict.results[0]).toMatchObject({
    state: 'conflict',
    errors: [{ pointer: '/views/de/name', code: 'changed_since' }],
  })
  const { body: undo } = await send('POST', `/proposals/${proposal.id}/revert`, {})
  await expect.poll(async () => (await send('GET', `/proposals/${undo.id}`)).body.state).toBe('open')
  await send('POST', `/proposals/${undo.id}/apply`, {})
  expect(await stored(id)).toEqual({ de: { name: 'Pott', attributes: { 'a.b': 'x' } } })
  const { body: edited } = await send('POST', '/proposals/from-filter', {
    filter: `sku=${sku}`,
    edits: [
      { field: 'views.de.name', op: 'append', value: '!' },
      { field: 'views.de.attributes.a.b', op: 'clear' },
      { field: 'views.at.price', op: 'set', value: 7 },
    ],
  })
  await expect.poll(async () => (await send('GET', `/proposals/${edited.id}`)).body.state).toBe('open')
  await send('POST', `/proposals/${edited.id}/apply`, {})
  expect(await stored(id)).toEqual({ de: { name: 'Pott!' }, at: { price: 7 } })
})

test('provenance names the texts of a view that a prompt wrote', async () => {
  const id = await create()
  const { body: prompt } = await send('POST', '/prompts', { name: `T${id}`, prompt_text: 'T' })
  const provenance = { prompt_id: prompt.id, version_number: '1.0.0' }
  const { provenance: shown } = await patch(id, { provenance, views: { de: { name: 'Tasse', price: 3 } } })
  expect(Object.keys(shown)).toEqual(['views.de.name'])
  const { provenance: left } = await patch(id, { views: { de: { name: 'Becher' } } })
  expect(left).toEqual({})
})

test('definitions emit events, and an older release that changes rules keeps the views', async () => {
  const own = await service.tenant()
  await define('de', { label: 'German' }, own)
  await define('de', { label: 'Deutsch' }, own)
  await service.database.query(sql`
    insert into rulesets (project_id, version, definitions) values (${own.project}, 3, '[]')`)
  await service.database.query(sql`update projects set ruleset = 3 where id = ${own.project}`)
  expect((await send('GET', '/views/de', undefined, own)).body.label).toBe('Deutsch')
  expect((await send('DELETE', '/views/de', undefined, own)).status).toBe(204)
  expect(firstError(await send('DELETE', '/views/de', undefined, own))).toEqual([404, 'not_found'])
  const { body } = await send('GET', '/events?types=view.created,view.updated,view.deleted', undefined, own)
  expect(body.results.map(({ type }: { type: string }) => type)).toEqual([
    'view.created',
    'view.updated',
    'view.deleted',
  ])
})

test('a list in a view has its names and statuses, and rejects filters that read the base', async () => {
  const own = await service.tenant()
  await define('de', { label: 'German' }, own)
  await define('at', { label: 'Austria', falls_back_to: ['de'] }, own)
  await send(
    'POST',
    '/products/bulk',
    [
      { sku: 'A', name: 'A', status: 'active', views: { de: { name: 'Ä' }, at: { status: 'inactive' } } },
      { sku: 'B', name: 'B', status: 'archived', views: { at: { status: 'active' } } },
    ],
    own,
  )
  const { body: plain } = await send('GET', '/products', undefined, own)
  const { body } = await send('GET', '/products?view=at', undefined, own)
  const [first, second] = plain.results
  expect(body).toEqual({ ...plain, results: [{ ...first, name: 'Ä', status: 'inactive' }, second] })
  expect(
    (await send('GET', '/products?view=at&ordering=-sku&sku=A', undefined, own)).body.results,
  ).toMatchObject([{ name: 'Ä' }])
  const { body: details } = await send('GET', '/products?view=at&expand=detail', undefined, own)
  expect(details.results).toMatchObject([
    { name: 'Ä', view: { from: { name: 'de', status: 'at' } } },
    { name: 'B' },
  ])
  for (const query of ['search=A', 'price__gte=1', 'ordering=name', 'quality_rule=x', 'view=x'])
    expect((await send('GET', `/products?view=at&${query}`, undefined, own)).status, query).toBe(400)
})
