import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestResponse, type TestService } from '../../../test/harness.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'
import { productLimits } from '../../model/limits/products.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant({ name: 'First' })
})

const create = (body: object, token = shop.token) =>
  shop.call('/v2/products', { method: 'POST', body: { name: 'A fine product', ...body }, token })
const patch = (id: number, body: object, token = shop.token) =>
  shop.call(`/v2/products/${id}`, { method: 'PATCH', body, token })
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
const actors = async (id: number) => {
  const { body } = await shop.call(`/v2/products/${id}/history?page_size=100`)
  return body.results.map(({ actor }: { actor: string }) => actor)
}

/** Runs the work while another transaction holds the locks of the statement. */
async function whileHeld(statement: ReturnType<typeof sql>, work: () => Promise<void>): Promise<void> {
  const done = service.database.transaction(async (tx) => {
    await tx.query(statement)
    await work()
    throw new Error('not to stay')
  })
  await expect(done).rejects.toThrow('not to stay')
}

/** All others finish within a second, and the first does not. */
async function expectOnlyFirstWaits(responses: Promise<{ status: number }>[]): Promise<void> {
  const [first, ...others] = responses
  const tooLate = sleep(1_000, 'too late', { ref: false })
  expect(await Promise.race([Promise.all(others).then(() => 'answered'), tooLate])).toBe('answered')
  expect(await Promise.race([first, 'waits'])).toBe('waits')
}

describe('concurrent creates', () => {
  test('each get their own result, categories and author', { tags: 'slow' }, async () => {
    const other = (await issueToken(service.database, { name: 'tester' }, shop.project, { name: 'Second' }))
      .token
    await create({ sku: 'ONCE-TAKEN' })
    const responses = await Promise.all(
      numbers(20).map((number) => {
        const sku = number % 10 === 3 ? 'ONCE-TAKEN' : `ONCE-${number}`
        const named = number % 10 === 3 ? [{ name: 'Refused' }] : [{ name: `Z${number % 3}` }, { name: 'A' }]
        const categories = number % 10 === 7 ? [{ id: 999_999_999 }] : named
        return create({ sku, categories }, number % 2 === 0 ? shop.token : other)
      }),
    )
    const left = await shop.call('/v2/categories?page_size=100')
    expect(left.body.results.some(({ name }: { name: string }) => name === 'Refused')).toBe(false)
    for (const [number, { status, body }] of responses.entries()) {
      expect([number, status]).toEqual([number, { 3: 409, 7: 422 }[number % 10] ?? 201])
      if (status !== 201) continue
      expect(body.categories.map(({ name }: { name: string }) => name)).toEqual([`Z${number % 3}`, 'A'])
      expect((await shop.call(`/v2/products/${body.id}`)).body).toEqual(body)
      expect(await actors(body.id)).toEqual([number % 2 === 0 ? 'First' : 'Second'])
    }
  })

  test('do not wait for a create whose SKU another writer is inserting', async () => {
    let held: ReturnType<typeof create> | undefined
    const statement = sql`
      insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
      values (${shop.project}, 'HELD', 'Held', 'held', 1, '{}', 1)`
    await whileHeld(statement, async () => {
      const responses = ['HELD', 'FREE-1', 'FREE-2', 'FREE-3'].map((sku) => create({ sku }))
      held = responses[0]
      await expectOnlyFirstWaits(responses)
    })
    expect((await held)?.status).toBe(201)
  })
})

describe('concurrent changes', () => {
  test('each preserve other fields, get their own result, and record their own author', {
    tags: 'slow',
  }, async () => {
    const other = (await issueToken(service.database, { name: 'tester' }, shop.project, { name: 'Third' }))
      .token
    await create({ sku: 'CHANGE-TAKEN' })
    const made = await Promise.all(
      numbers(20).map(async (number) => {
        const attributes = { size: number, 'color of it': 'red' }
        return (await create({ sku: `CHANGE-${number}`, description: `No ${number}`, attributes })).body
      }),
    )
    const bodyOf = (number: number) => {
      if (number % 10 === 3) return { sku: 'CHANGE-TAKEN' }
      return [{ price: number }, { name: 'Renamed' }, { attributes: { size: null } }][number % 3] as object
    }
    const responses = await Promise.all(
      made.map(({ id }, number) => patch(id, bodyOf(number), number % 2 === 0 ? shop.token : other)),
    )
    for (const [number, { status, body }] of responses.entries()) {
      const before = made[number]
      const change = bodyOf(number)
      expect([number, status]).toEqual([number, number % 10 === 3 ? 409 : 200])
      const { version: _, updated_at: __, quality_score: ___, ...kept } = before
      const attributes = 'attributes' in change ? { 'color of it': 'red' } : before.attributes
      const expected = status === 200 ? { ...kept, ...change, attributes, version: 2 } : before
      const shown = (await shop.call(`/v2/products/${before.id}`)).body
      expect(shown).toMatchObject(expected)
      if (status === 200) expect(shown).toEqual(body)
      if (status === 200) expect((await actors(before.id))[0]).toBe(number % 2 === 0 ? 'First' : 'Third')
    }
    const found = await shop.call('/v2/products?search=renamed')
    expect(found.body.count).toBe(responses.filter(({ body }) => body.name === 'Renamed').length)
  })

  test('of one product are all applied, one after the other', async () => {
    const { id } = (await create({ sku: 'BUSY' })).body
    const responses = await Promise.all(
      numbers(20).map((number) => patch(id, { attributes: { [`a${number}`]: number } })),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const { version, attributes } = (await shop.call(`/v2/products/${id}`)).body
    expect([version, Object.keys(attributes).length]).toEqual([21, 20])
    expect(await actors(id)).toHaveLength(21)
  })

  test('of one product show what other writes have changed without a new version', {
    tags: 'slow',
  }, async () => {
    const { id, categories } = (await create({ sku: 'SHOWN', categories: [{ name: 'Former' }] })).body
    const others = numbers(60).map((number) => patch(id, { price: 1 + number }))
    await others[0]
    await shop.call(`/v2/categories/${categories[0].id}`, { method: 'PATCH', body: { name: 'Current' } })
    const responses = await Promise.all(numbers(5).map((number) => patch(id, { price: 100 + number })))
    for (const { body } of responses) expect(body.categories).toMatchObject([{ name: 'Current' }])
    await Promise.all(others)
  })

  test('do not wait for a change to a product that another writer has locked', async () => {
    const made = await Promise.all(
      numbers(4).map(async (number) => (await create({ sku: `ROW-${number}` })).body),
    )
    let held: ReturnType<typeof patch> | undefined
    const statement = sql`
      select from products where project_id = ${shop.project} and id = ${made[0].id} for no key update`
    await whileHeld(statement, async () => {
      const responses = made.map(({ id }) => patch(id, { price: 9 }))
      held = responses[0]
      await expectOnlyFirstWaits(responses)
    })
    expect((await held)?.body).toMatchObject({ price: 9, version: 2 })
  })

  test('do not wait for a change to a SKU that another writer is inserting', async () => {
    const made = await Promise.all(
      numbers(4).map(async (number) => (await create({ sku: `NAMED-${number}` })).body),
    )
    let held: ReturnType<typeof patch> | undefined
    const statement = sql`
      insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
      values (${shop.project}, 'INSERTED', 'Held', 'held', 1, '{}', 1)`
    await whileHeld(statement, async () => {
      const responses = made.map(({ id }, number) =>
        patch(id, number === 0 ? { sku: 'INSERTED' } : { price: 9 }),
      )
      held = responses[0]
      await expectOnlyFirstWaits(responses)
    })
    expect((await held)?.body).toMatchObject({ sku: 'INSERTED', version: 2 })
  })

  test('return the same bytes as a read, whichever long fields they change', async () => {
    const long = { description: 'Long', short_description: 'Short', attributes: { width: 1.5, height: 2 } }
    const made = await Promise.all(
      numbers(8).map(async (number) => (await create({ sku: `BYTES-${number}`, ...long })).body),
    )
    const bodies = [
      { price: 3 },
      { description: '' },
      { attributes: { a: 1e3, width: null } },
      { short_description: 'New' },
    ]
    const responses = await Promise.all(made.map(({ id }, number) => patch(id, bodies[number % 4] as object)))
    for (const { body } of responses) {
      const shown = (await shop.call(`/v2/products/${body.id}`)).body
      expect(JSON.stringify(body)).toBe(JSON.stringify(shown))
      expect(body.version).toBe(2)
    }
  })
})

describe('concurrent writes of stock', () => {
  const adjust = (id: number, delta: number, token = shop.token) =>
    shop.call(`/v2/products/${id}/inventory/adjust`, {
      method: 'POST',
      body: { delta, reason: `Delta ${delta}` },
      token,
    })
  const stocked = (sku: string, quantity: number) => create({ sku, inventory: { quantity } })
  const adjustments = async (id: number) => {
    const { body } = await shop.call(`/v2/products/${id}/inventory/adjustments?page_size=100`)
    return body.results.toReversed() as { delta: number; quantity: number; actor: string }[]
  }

  test('each get their own result, and are recorded with their own author', { tags: 'slow' }, async () => {
    const other = (await issueToken(service.database, { name: 'tester' }, shop.project, { name: 'Fourth' }))
      .token
    const made = await Promise.all(numbers(20).map((number) => stocked(`STOCK-${number}`, 5)))
    const responses = await Promise.all(
      made.map(({ body: { id } }, number) => {
        const token = number % 2 === 0 ? shop.token : other
        return number % 4 < 2
          ? patch(id, { inventory: { quantity: number } }, token)
          : adjust(id, number, token)
      }),
    )
    for (const [number, { status, body }] of responses.entries()) {
      const { id } = (made[number] as TestResponse).body
      const quantity = number % 4 < 2 ? number : 5 + number
      const shown = (await shop.call(`/v2/products/${id}`)).body
      expect([status, shown.inventory.quantity, shown.version]).toEqual([200, quantity, 1])
      expect(body).toEqual(number % 4 < 2 ? shown : shown.inventory)
      const actor = number % 2 === 0 ? 'First' : 'Fourth'
      const [recorded] = await adjustments(id)
      if (quantity !== 5) expect(recorded).toMatchObject({ delta: quantity - 5, quantity, actor })
    }
  })

  test('of one product leave no gap in its adjustments', async () => {
    const { id } = (await stocked('STOCK-BUSY', 10)).body
    const responses = await Promise.all(
      numbers(40).map((number) => {
        if (number % 4 === 0) return patch(id, { inventory: { quantity: 100 + number } })
        if (number % 4 === 1) return patch(id, { price: number, inventory: { reserved: number } })
        return adjust(id, number % 2 === 0 ? -1 : 2)
      }),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
    const shown = (await shop.call(`/v2/products/${id}`)).body
    expect(shown.version).toBe(11)
    let quantity = 10
    for (const recorded of await adjustments(id)) {
      quantity += recorded.delta
      expect(recorded.quantity).toBe(quantity)
    }
    expect(shown.inventory.quantity).toBe(quantity)
  })

  test('of one product each return the stock after their own adjustment', async () => {
    const { id } = (await stocked('STOCK-SOLD', 1_000)).body
    const responses = await Promise.all(numbers(40).map((number) => adjust(id, -1 - (number % 3))))
    const returned = responses.map(({ body }) => body.quantity)
    const recorded = (await adjustments(id)).map(({ quantity }) => quantity)
    expect(returned.toSorted((one, other) => other - one)).toEqual(recorded)
    for (const [number, response] of responses.entries())
      expect((await adjustments(id))[recorded.indexOf(response.body.quantity)]?.delta).toBe(-1 - (number % 3))
  })

  test.each([
    ['fall below zero', 25, -1, -100, 409],
    ['exceed the limit', productLimits.stock - 25, 1, 100, 422],
  ])('reject only what would %s', async (_, quantity, delta, rejected, expected) => {
    const { id } = (await stocked(`STOCK-${expected}`, quantity)).body
    const deltas = numbers(40).map((number) => (number % 8 === 7 ? rejected : delta))
    const responses = await Promise.all(deltas.map((own) => adjust(id, own)))
    const statuses = responses.map(({ status }, number) => [deltas[number], status].join(' '))
    const count = (own: number, status: number) =>
      statuses.filter((text) => text === [own, status].join(' ')).length
    expect([count(delta, 200), count(delta, expected), count(rejected, expected)]).toEqual([25, 10, 5])
  })

  test('emit events in the order of the adjustments, also of several authors', async () => {
    const other = (await issueToken(service.database, { name: 'tester' }, shop.project, { name: 'Fifth' }))
      .token
    const made = await Promise.all(numbers(5).map((number) => stocked(`STOCK-EVENTS-${number}`, 100)))
    await Promise.all(
      numbers(60).map((number) => {
        const { id } = (made[number % 5] as TestResponse).body
        return adjust(id, 1, number % 2 === 0 ? shop.token : other)
      }),
    )
    const { body } = await shop.call('/v2/events?after=0&limit=1000&types=product.stock_changed')
    for (const { body: product } of made) {
      const own = body.results.filter(({ data }: { data: { id: number } }) => data.id === product.id)
      const quantities = own.map(({ data }: { data: { after: { quantity: number } } }) => data.after.quantity)
      expect(quantities).toEqual(numbers(12).map((number) => 101 + number))
    }
  })

  test('do not wait for a product that another writer has locked', async () => {
    const made = await Promise.all(numbers(4).map((number) => stocked(`STOCK-ROW-${number}`, 1)))
    const ids = made.map(({ body: { id } }) => id)
    let held: ReturnType<typeof adjust>[] = []
    const statement = sql`
      select from products where project_id = ${shop.project} and id = ${ids[0]} for no key update`
    await whileHeld(statement, async () => {
      const adjusted = ids.map((id) => adjust(id, 4))
      await expectOnlyFirstWaits(adjusted)
      const set = ids.map((id) => patch(id, { inventory: { quantity: 9 } }))
      await expectOnlyFirstWaits(set)
      held = [adjusted[0], set[0]] as typeof held
    })
    expect((await Promise.all(held)).map(({ status }) => status)).toEqual([200, 200])
  })
})

test('of many changes for one version of a product, exactly one is written', async () => {
  const { id } = (await create({ sku: 'MATCHED' })).body
  const responses = await Promise.all(
    numbers(20).map((number) =>
      shop.call(`/v2/products/${id}`, {
        method: 'PATCH',
        body: { price: 1 + number },
        headers: { 'if-match': '"1-x"' },
      }),
    ),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(responses.filter(({ status }) => status === 412)).toHaveLength(19)
})
