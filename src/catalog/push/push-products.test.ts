import pg from 'pg'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { backendOf, isWaitedFor, isWaiting, until } from '../../../test/database/blocked.ts'
import {
  sharedTestService,
  startTestService,
  type Tenant,
  type TestResponse,
  type TestService,
} from '../../../test/harness.ts'
import { advisoryLocks } from '../../platform/database/advisory-locks.ts'
import { minConnections } from '../../platform/database/connections/connection-classes.ts'
import { sql } from '../../platform/database/sql.ts'
import { countWrongCounts } from '../products/product-counts.sql.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

type Body = unknown[] | string | Uint8Array

function push(lines: Body, query = '', { call }: Tenant = shop): Promise<TestResponse> {
  const body = Array.isArray(lines) ? lines.map((line) => JSON.stringify(line)).join('\n') : lines
  return call(`/v2/products/bulk${query}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-ndjson' },
  })
}

/** Lines of 10 KiB. A batch has fifty of them. */
function padded(lines: object[]): string {
  return lines.map((line) => JSON.stringify(line).padEnd(10 * 1024)).join('\n')
}

const outcomes = ({ body }: TestResponse) => body.results.map(({ outcome }: { outcome: string }) => outcome)

/** A connection that plays another writer, step by step. */
async function connect(): Promise<pg.Client & { processID: number }> {
  const client = new pg.Client(inject('connection'))
  await client.connect()
  onTestFinished(() => client.end())
  return client as pg.Client & { processID: number }
}

/** All rows that a write could leave behind. */
async function rowsOf({ project }: Tenant): Promise<unknown> {
  const [row] = await service.database.query(sql<object>`
    select (select count(*) from products where project_id = ${project}) as products,
           (select sum(version) from products where project_id = ${project}) as versions,
           (select count(*) from categories where project_id = ${project}) as categories,
           (select count(*) from product_categories where project_id = ${project}) as links,
           (select count(*) from product_history where project_id = ${project}) as history,
           (select count(*) from inventory_adjustments where project_id = ${project}) as adjustments`)
  return row
}

describe('a push', () => {
  test('returns one result per line in order, and an invalid line does not affect others', async () => {
    const lines = [
      '{"sku":" MIX-A ","name":"First","price":12.5,"categories":[{"name":"Mixed"}],"attributes":{"a":1,"b":"x"}}',
      '',
      '{"sku":"MIX-B","name":"Second"',
      '  ',
      '{"sku":"MIX-C","price":1}',
      '{"sku":"MIX-A","price":13,"attributes":{"b":null},"inventory":{"quantity":5}}',
      '{"sku":"MIX-A","price":13}',
      '{"sku":"MIX-D","name":"Last","status":"active"}',
    ]
    const { status, body } = await push(lines.join('\r\n'))
    expect(status).toBe(200)
    expect(body.summary).toEqual({ lines: 6, created: 2, updated: 1, unchanged: 1, rejected: 2 })
    expect(body.results).toMatchObject([
      { line: 1, sku: 'MIX-A', outcome: 'created', errors: [] },
      {
        line: 3,
        sku: null,
        id: null,
        outcome: 'rejected',
        errors: [{ pointer: '', code: 'malformed_json' }],
      },
      { line: 5, sku: 'MIX-C', outcome: 'rejected', errors: [{ pointer: '/name', code: 'required' }] },
      { line: 6, sku: 'MIX-A', id: body.results[0].id, outcome: 'updated' },
      { line: 7, sku: 'MIX-A', id: body.results[0].id, outcome: 'unchanged' },
      { line: 8, sku: 'MIX-D', outcome: 'created' },
    ])
    const { body: product } = await shop.call(`/v2/products/${body.results[0].id}`)
    expect(product).toMatchObject({
      price: 13,
      version: 2,
      attributes: { a: 1 },
      categories: [{ name: 'Mixed' }],
      inventory: { quantity: 5 },
    })
  })

  test('records every change: two lines with the same SKU create two versions, each shown at its time', async () => {
    const first = await push([
      { sku: 'TWICE', name: 'One', categories: [{ name: 'Old' }] },
      { sku: 'TWICE', name: 'Two', categories: [{ name: 'Young' }, { name: 'Old' }] },
    ])
    await push([
      { sku: 'TWICE', name: 'Three', inventory: { tracked: true, quantity: 4 } },
      { sku: 'TWICE', name: 'Three', inventory: { quantity: 4 } },
      { sku: 'TWICE', name: 'Four', inventory: { quantity: 9 } },
    ])
    const { id } = first.body.results[0]
    const { body: history } = await shop.call(`/v2/products/${id}/history`)
    expect(history.results).toMatchObject([
      { version: 4, source: 'bulk', before: { name: 'Three' }, after: { name: 'Four' } },
      { version: 3, after: { name: 'Three', inventory: { tracked: true } } },
      { version: 2, after: { name: 'Two', categories: [{ name: 'Young' }, { name: 'Old' }] } },
      { version: 1, before: null, after: { sku: 'TWICE', name: 'One', price: null } },
    ])
    const shown = history.results.map(async ({ changed_at }: { changed_at: string }) => {
      const { body } = await shop.call(`/v2/products/${id}?as_of=${changed_at}`)
      return [body.name, body.version, body.updated_at === changed_at]
    })
    expect(await Promise.all(shown)).toEqual([
      ['Four', 4, true],
      ['Three', 3, true],
      ['Two', 2, true],
      ['One', 1, true],
    ])
    const { body: stock } = await shop.call(`/v2/products/${id}/inventory/adjustments`)
    expect(stock.results).toMatchObject([
      { delta: 5, quantity: 9 },
      { delta: 4, quantity: 4 },
    ])
    const { body: product } = await shop.call(`/v2/products/${id}`)
    expect(product.quality_score.score).toBeGreaterThan(0)
    expect(product.categories.map(({ name }: { name: string }) => name)).toEqual(['Young', 'Old'])
  })

  test('applies lines of one product in order across batches, also with new products and categories', {
    tags: 'slow',
  }, async () => {
    const mine = await service.tenant()
    const lines = Array.from({ length: 275 }, (_, index) => {
      const number = index < 125 ? index % 75 : index
      return { sku: `FAR-${number}`, name: `Line ${index}`, categories: [{ name: `Aisle ${index % 150}` }] }
    })
    const { body } = await push(padded(lines), '', mine)
    expect(body.summary).toEqual({ lines: 275, created: 225, updated: 50, unchanged: 0, rejected: 0 })
    expect(body.results.map(({ line }: { line: number }) => line)).toEqual(lines.map((_, index) => index + 1))
    const { results } = (await mine.call('/v2/products?sku__in=FAR-0,FAR-49,FAR-50,FAR-274')).body
    expect(results.map(({ name }: { name: string }) => name)).toEqual([
      'Line 75',
      'Line 124',
      'Line 50',
      'Line 274',
    ])
    const history = (await mine.call(`/v2/products/${results[0].id}/history`)).body.results
    expect(history.map(({ after }: { after: { name: string } }) => after.name)).toEqual(['Line 75', 'Line 0'])
  })

  test('does not delay other batches while one waits, and numbers products in line order', async () => {
    const mine = await service.tenant()
    await push([{ sku: 'HELD', name: 'Held' }], '', mine)
    const made = Array.from({ length: 125 }, (_, index) => ({ sku: `NEW-${index}`, name: 'New' }))
    const pushed = await service.database.transaction(async (tx) => {
      await tx.query(sql`select id from products where project_id = ${mine.project} for update`)
      const answer = push(padded([{ sku: 'HELD', name: 'Changed' }, ...made]), '', mine)
      await expect
        .poll(async () => (await mine.call('/v2/products?sku__in=NEW-0,NEW-124')).body.count)
        .toBe(1)
      return [answer] as const
    })
    const { results } = (await pushed[0]).body
    expect(results.map(({ line }: { line: number }) => line)).toEqual(
      results.map((_: never, at: number) => at + 1),
    )
    const ids: number[] = results.map(({ id }: { id: number }) => id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  })

  test('keeps the order of two lines of one product while the first batch waits and others continue', async () => {
    const mine = await service.tenant()
    for (const sku of ['HELD', 'TWICE']) await push([{ sku, name: 'Made' }], '', mine)
    const lines = Array.from({ length: 150 }, (_, index) => ({ sku: `NEW-${index}`, name: 'New' }))
    lines.splice(0, 2, { sku: 'HELD', name: 'Changed' }, { sku: 'TWICE', name: 'First' })
    lines[149] = { sku: 'TWICE', name: 'Second' }
    const pushed = await service.database.transaction(async (tx) => {
      await tx.query(sql`select from products where project_id = ${mine.project} and sku = 'HELD' for update`)
      const answer = push(padded(lines), '', mine)
      await expect.poll(async () => (await mine.call('/v2/products?sku=NEW-75')).body.count).toBe(1)
      return [answer] as const
    })
    expect((await pushed[0]).body.summary).toMatchObject({ created: 147, updated: 3 })
    const [{ id, name }] = (await mine.call('/v2/products?sku=TWICE')).body.results
    const history = (await mine.call(`/v2/products/${id}/history`)).body.results
    expect([name, history.length]).toEqual(['Second', 3])
    expect(history[1].after.name).toBe('First')
  })

  test('uses one connection for an atomic push, even while others wait', { tags: 'slow' }, async () => {
    const small = await startTestService({ poolSize: minConnections })
    const mine = await small.tenant()
    const { body } = await push([{ sku: 'HELD', name: 'Held' }], '', mine)
    const path = `/v2/products/${body.results[0].id}`
    const { waiting } = await small.database.transaction(async (tx) => {
      await tx.query(sql`select id from products where project_id = ${mine.project} for update`)
      const waiting = mine.call(path, { method: 'PATCH', body: { name: 'Waits' } })
      const backend = await backendOf(tx)
      await until(() => isWaitedFor(service.database, backend))
      const answer = await push([{ sku: 'OTHER', name: 'Other' }], '?on_error=abort', mine)
      expect(answer.status).toBe(200)
      return { waiting }
    })
    expect((await waiting).status).toBe(200)
  })

  test('never records a future time, and gives every change its own time', { tags: 'slow' }, async () => {
    const mine = await service.tenant()
    for (const query of ['', '?on_error=abort']) {
      const lines = Array.from({ length: 400 }, (_, index) => ({ sku: `T${query}`, name: `Name ${index}` }))
      const { body } = await push(lines, query, mine)
      const { id } = body.results[0]
      const { body: product } = await mine.call(`/v2/products/${id}`)
      expect(Date.parse(product.updated_at)).toBeLessThanOrEqual(Date.now())
      const { body: now } = await mine.call(`/v2/products/${id}?as_of=${new Date().toISOString()}`)
      expect([now.version, now.name]).toEqual([400, 'Name 399'])
    }
    const [row] = await service.database.query(sql<object>`
      select count(*) as changes, count(distinct (product_id, changed_at)) as times
      from product_history where project_id = ${mine.project}`)
    expect(row).toEqual({ changes: 800, times: 800 })
  })

  test('reads a body by its media type in any spelling, and skips a byte order mark', async () => {
    const bytes = (text: string) => Buffer.from(`\ufeff${text}`)
    const line = '{"sku":"TYPE","name":"Type"}'
    const send = (type: string, body: Buffer) =>
      shop.call('/v2/products/bulk', { method: 'POST', body, headers: { 'content-type': type } })
    for (const [type, text] of [
      ['Application/X-NDJSON; charset=utf-8', line],
      ['application/json; x=ndjson', `[${line}]`],
    ] as const) {
      const { status, body } = await send(type, bytes(text))
      expect([status, body.summary?.rejected], type).toEqual([200, 0])
    }
    expect((await send('text/csv', bytes(line))).body).toMatchObject({
      code: 'unsupported_media_type',
      detail: expect.stringContaining('application/x-ndjson'),
    })
    expect((await send('application/json', Buffer.alloc(0))).body.detail).toContain('It is empty.')
  })

  test('returns valid Unicode, wherever text is cut', async () => {
    const sku = `${'x'.repeat(63)}😀x`
    const key = `${'y'.repeat(199)}😀`
    const { text } = await push([
      { sku, name: 'Long' },
      { sku: 'CUT', name: 'Cut', [key]: { [key]: '\0' } },
      { sku: 'CUT', name: 'Cut', attributes: { [key]: '\0' } },
    ])
    expect(text).not.toMatch(/\\ud[89a-f]/i)
    expect(JSON.parse(text).summary.rejected).toBe(3)
  })

  test('has the same effect as single writes on lists, filters and scores', async () => {
    const [one, many] = [await service.tenant(), await service.tenant()]
    const products = [
      { sku: 'S-1', name: 'A lamp of brass', price: 0.1, attributes: { ['__proto__']: 'kept', size: 42 } },
      { sku: 'S-2', name: 'ÄPFEL', description: 'x'.repeat(120), inventory: { quantity: 3, reserved: 1 } },
      { sku: 'S-3', name: 'Bundle', product_type: 'bundle', categories: [{ name: 'A' }, { name: 'B' }] },
    ]
    const lines = `{"sku":"S-0","name":"P","attributes":{"__proto__":"kept"}}\n${products.map((product) => JSON.stringify(product)).join('\n')}`
    for (const line of lines.split('\n')) await one.call('/v2/products', { method: 'POST', body: line })
    expect(outcomes(await push(lines, '', many))).toEqual(['created', 'created', 'created', 'created'])
    const plain = async ({ call }: Tenant) =>
      JSON.stringify((await call('/v2/products?expand=detail')).body)
        .replace(/"(id|project)":\d+/g, '')
        .replace(/"\d{4}-[^"]+Z"/g, '')
    expect(await plain(many)).toBe(await plain(one))
    const rows = await rowsOf(one)
    expect(await rowsOf(many)).toEqual(rows)
    expect(outcomes(await push(lines, '', many))).toEqual(Array(4).fill('unchanged'))
    expect(await rowsOf(many)).toEqual(rows)
    expect((await many.call('/v2/products?search=äpfel')).body.count).toBe(1)
  })

  test('accepts a JSON array, and rejects only its malformed elements', async () => {
    const array = `\n[ {"sku":"ARR-1","name":"a ] , \\" } text"} ,{"sku":"ARR-2" "name":"x"},\n[], 7, {"sku":"ARR-3","name":"Third"}]\n`
    const { status, body } = await shop.call('/v2/products/bulk', { method: 'POST', body: array })
    expect(status).toBe(200)
    expect(
      body.results.map(
        ({ line, outcome, errors }: { line: number; outcome: string; errors: { code: string }[] }) => [
          line,
          outcome,
          errors[0]?.code,
        ],
      ),
    ).toEqual([
      [1, 'created', undefined],
      [2, 'rejected', 'malformed_json'],
      [3, 'rejected', 'invalid_type'],
      [4, 'rejected', 'invalid_type'],
      [5, 'created', undefined],
    ])
    expect((await shop.call('/v2/products/bulk', { method: 'POST', body: '[]' })).body.summary.lines).toBe(0)
    expect((await push('')).body.summary.lines).toBe(0)
  })

  test.each([
    '{"sku":"X","name":"X"}',
    '[{"sku":"X","name":"X"}',
    '[{"sku":"X","name":"X"},]',
    '[] 1',
    '',
    '[1,,2]',
  ])('that is announced as JSON and is no array, like %j, is 400 and writes nothing', async (text) => {
    const answer = await shop.call('/v2/products/bulk', {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, answer.body.code]).toEqual([400, 'malformed_json'])
    expect((await shop.call('/v2/products/by-sku/X')).status).toBe(404)
  })

  test('returns exactly the errors of a single write', async () => {
    const deep = '['.repeat(40) + ']'.repeat(40)
    const bad = [
      '{"sku":"BAD","name":"a","name":"b"}',
      '{"sku":"BAD","name":"N","price":0.10000000000000000001}',
      '{"sku":"BAD","name":"N","price":1e400}',
      '{"sku":"BAD","name":"N","price":-0}',
      '{"sku":"BAD","name":"N","price":0.12345,"colour":"red"}',
      '{"sku":"BAD","name":"N","price":"12"}',
      `{"sku":"BAD","name":"N","attributes":${deep}}`,
      '{"sku":"BAD","name":"nul \\u0000"}',
      '{"sku":"BAD","name":"lone \\ud800"}',
      `{"sku":"BAD","name":"N","attributes":{"":1,"x":"${'y'.repeat(10_001)}"}}`,
      '{"sku":"","name":"","status":"on"}',
      '{"name":"no sku"}',
      `{"sku":"${'x'.repeat(65)}","name":"N"}`,
      '{"sku":"BAD","name":"N","categories":[{"name":"Never"},987654321,{"id":1,"name":"x"}]}',
      '{"sku":"BAD","name":"N","categories":[{"name":"Never"},987654321]}',
      '{"sku":"BAD","name":"N","inventory":{"quantity":-1}}',
      '[]',
      'nonsense',
    ]
    const bytes = Buffer.concat([
      Buffer.from('{"sku":"BAD","name":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ])
    const sent = [...bad.map((text) => Buffer.from(text)), bytes]
    const before = await rowsOf(shop)
    const { body } = await push(Buffer.concat(sent.flatMap((line) => [line, Buffer.from('\n')])))
    for (const [index, line] of sent.entries()) {
      const single = await shop.call('/v2/products', { method: 'POST', body: line })
      const expected = single.body.errors ?? [
        { pointer: '', code: single.body.code, message: single.body.detail.replace(/^The body/, 'The line') },
      ]
      expect(body.results[index]).toMatchObject({ line: index + 1, id: null, outcome: 'rejected' })
      expect(body.results[index].errors, line.toString()).toEqual(expected)
    }
    expect(await rowsOf(shop)).toEqual(before)
  })

  test('rejects invalid changes, line by line', async () => {
    const full = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`a${index}`, index]))
    await push([
      { sku: 'FULL', name: 'Full', attributes: full },
      { sku: 'OWED', name: 'Owed', inventory: { backorders: true } },
    ])
    const { body: owed } = await shop.call('/v2/products/by-sku/OWED')
    await shop.call(`/v2/products/${owed.id}/inventory/adjust`, {
      method: 'POST',
      body: { delta: -2, reason: 'Sold' },
    })
    const { body } = await push([
      { sku: 'FULL', attributes: { more: 1 } },
      { sku: 'OWED', inventory: { backorders: false } },
      { sku: 'FULL', attributes: { more: 1, a0: null } },
    ])
    expect(body.results).toMatchObject([
      { outcome: 'rejected', errors: [{ pointer: '/attributes', code: 'too_many' }] },
      {
        id: owed.id,
        outcome: 'rejected',
        errors: [{ pointer: '/inventory/backorders', code: 'stock_owed' }],
      },
      { outcome: 'updated' },
    ])
  })
})

describe('the mode', () => {
  test('create rejects an existing SKU, update a missing one, upsert neither', async () => {
    const mine = await service.tenant()
    const lines = [
      { sku: 'M-1', name: 'One' },
      { sku: 'M-1', name: 'Again' },
    ]
    const missing = await push(lines, '?mode=update', mine)
    expect(missing.body.results[0].errors).toMatchObject([{ pointer: '/sku', code: 'not_found' }])
    const created = await push(lines, '?mode=create', mine)
    const { id } = created.body.results[0]
    expect(created.body.results).toMatchObject([
      { outcome: 'created' },
      {
        id,
        outcome: 'rejected',
        errors: [
          { pointer: '/sku', code: 'duplicate_sku', message: expect.stringContaining(`product ${id}.`) },
        ],
      },
    ])
    expect(outcomes(await push(lines, '?mode=update', mine))).toEqual(['unchanged', 'updated'])
    expect(outcomes(await push(lines, '?mode=upsert', mine))).toEqual(['updated', 'updated'])
  })

  test.each(['?mode=replace', '?on_error=stop', '?dry_run=1', '?dryrun=true'])(
    '%s returns 400',
    async (query) => {
      expect((await push([{ sku: 'Q', name: 'Q' }], query)).body.code).toBe('invalid_parameters')
    },
  )
})

describe('an atomic push', () => {
  test('returns 503 after a few attempts if a conflict disappears each time', { tags: 'slow' }, async () => {
    const mine = await service.tenant()
    await push(
      ['NOW', 'LATER'].map((sku) => ({ sku, name: sku })),
      '',
      mine,
    )
    const before = await rowsOf(mine)
    const [gate, rival] = [await connect(), await connect()]
    const close = async () => {
      await gate.query('begin')
      await gate.query('select pg_advisory_xact_lock(hashtextextended($1, $2))', [
        mine.project,
        advisoryLocks.push,
      ])
    }
    const rename = (from: string, to: string) =>
      rival.query('update products set sku = $3 where project_id = $1 and sku = $2', [mine.project, from, to])
    await close()
    let answer: TestResponse | undefined
    const answered = push([{ sku: 'NOW', name: 'Changed' }], '?on_error=abort&mode=update', mine).then(
      (heard) => {
        answer = heard
      },
    )
    let tries = 0
    for (; tries < 12; tries += 1) {
      await until(async () => answer !== undefined || (await isWaitedFor(service.database, gate.processID)))
      if (answer !== undefined) break
      await rival.query('begin')
      await rival.query('select from products where project_id = $1 for update', [mine.project])
      // Two products swap their SKUs: a push that waits for the swap finds neither, and both in its next attempt.
      if (tries % 2 === 0) {
        await rename('NOW', 'BETWEEN')
        await rename('LATER', 'NOW')
        await rename('BETWEEN', 'LATER')
      }
      await gate.query('commit')
      await until(() => isWaitedFor(service.database, rival.processID))
      const closed = close()
      await until(() => isWaiting(service.database, gate.processID))
      await rival.query('commit')
      await closed
    }
    await gate.query('commit')
    await answered
    expect([answer?.status, answer?.body.code, tries]).toEqual([503, 'too_busy', 10])
    expect(await rowsOf(mine)).toEqual(before)
  })

  test('writes nothing if a line is rejected, and returns a result for every line', {
    tags: 'slow',
  }, async () => {
    const mine = await service.tenant()
    await push([{ sku: 'OLD', name: 'Old', inventory: { quantity: 1 } }], '', mine)
    const before = await rowsOf(mine)
    const lines = Array.from({ length: 125 }, (_, index) => ({
      sku: `N-${index}`,
      name: 'New',
      categories: [{ name: `C ${index % 7}` }],
    }))
    const changed = { sku: 'OLD', name: 'Older', inventory: { quantity: 9 } }
    const { status, body } = await push(
      padded([changed, ...lines, { sku: 'N-3', price: -1 }, lines[4] as object]),
      '?on_error=abort',
      mine,
    )
    expect(status).toBe(422)
    expect(body.summary).toEqual({ lines: 128, created: 125, updated: 1, unchanged: 1, rejected: 1 })
    expect(body.results[1]).toMatchObject({ outcome: 'created', id: null })
    expect(body.results[126].errors).toMatchObject([{ pointer: '/price', code: 'too_small' }])
    expect(await rowsOf(mine)).toEqual(before)
    const whole = await push(padded([changed, ...lines]), '?on_error=abort', mine)
    expect([whole.status, whole.body.summary.created]).toEqual([200, 125])
    expect((await mine.call('/v2/products')).body.count).toBe(126)
  })
})

describe('a dry run', () => {
  test('shows what each line would change, also across batches, and writes nothing', async () => {
    const mine = await service.tenant()
    const text = 'A long text. '.repeat(100)
    await push(
      [{ sku: 'D', name: 'Before', attributes: { a: 1, b: 2 }, categories: [{ name: 'Here' }] }],
      '',
      mine,
    )
    const before = await rowsOf(mine)
    const filler = Array.from({ length: 55 }, (_, index) => ({ sku: `F-${index}`, name: 'Filler' }))
    const { status, body } = await push(
      padded([
        {
          sku: 'D',
          name: 'After',
          attributes: { a: 1, b: 3 },
          categories: [{ name: 'There' }],
          description: text,
        },
        { sku: 'E', name: 'New', inventory: { quantity: 7 } },
        ...filler,
        { sku: 'D', name: 'After', inventory: { quantity: 2 } },
        { sku: 'E', name: 'New' },
        { sku: 'E', colour: 'red' },
      ]),
      '?dry_run=true',
      mine,
    )
    expect(status).toBe(200)
    expect(body.results[0]).toMatchObject({
      outcome: 'updated',
      changes: {
        name: { before: 'Before', after: 'After' },
        attributes: { before: { b: 2 }, after: { b: 3 } },
        categories: { before: [{ name: 'Here' }], after: [{ id: null, name: 'There' }] },
        description: { before: '', after: expect.stringMatching(/… \(1300 characters\)$/) },
      },
    })
    expect(body.results[1].changes).toMatchObject({
      name: { before: null, after: 'New' },
      inventory: { before: null, after: { tracked: true, quantity: 7, reserved: 0 } },
    })
    expect(body.results[1].changes).not.toHaveProperty('price')
    expect(body.results.slice(-3)).toMatchObject([
      { outcome: 'updated', changes: { inventory: { before: { quantity: 0 }, after: { quantity: 2 } } } },
      { outcome: 'unchanged', id: null, changes: {} },
      { outcome: 'rejected' },
    ])
    expect(await rowsOf(mine)).toEqual(before)
  })
})

describe('fault 20: pushes at the same time', () => {
  test('with the same SKUs all succeed, create one product per SKU, and record a complete history', async () => {
    const mine = await service.tenant()
    const skus = Array.from({ length: 120 }, (_, index) => `P-${index}`)
    const shuffled = (turn: number) =>
      skus
        .map((sku, index) => ({ sku, order: (index * 7_919 + turn * 104_729) % 121 }))
        .sort((a, b) => (turn % 2 === 0 ? a.order - b.order : b.order - a.order))
        .map(({ sku, order }) => ({
          sku,
          name: `Name ${turn}`,
          categories: [{ name: `K ${order % 5}` }, { name: `L ${turn}` }],
        }))
    const single = skus
      .slice(0, 20)
      .map((sku) => mine.call('/v2/products', { method: 'POST', body: { sku, name: 'Single' } }))
    const answers = await Promise.all([
      ...[0, 1, 2, 3].map((turn) => push(padded(shuffled(turn)), '', mine)),
      ...[4, 5].map((turn) => push(padded(shuffled(turn)), '?on_error=abort', mine)),
    ])
    expect((await Promise.all(single)).every(({ status }) => status === 201 || status === 409)).toBe(true)
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    expect(answers.every(({ body }) => body.summary.rejected === 0)).toBe(true)
    expect((await mine.call('/v2/products?page_size=1')).body.count).toBe(120)
    const odd = await service.database.query(sql`
      select from products as product where project_id = ${mine.project} and version <> (
        select count(*) from product_history as history
        where history.project_id = product.project_id and history.product_id = product.id)`)
    expect(odd).toEqual([])
    // Other tests write to the same database, some of them without triggers.
    expect(await countWrongCounts(service.database, mine.project)).toBe(0)
  })
})

const size = ({ text }: TestResponse) => Buffer.byteLength(text)

describe('fault 27: the response of a push', () => {
  const name = (line: number, at: number) => `${line}-${at}-`.padEnd(290, 'n')
  const mebibyte = 1024 * 1024

  test('is shortened after 8 MiB for lines with many errors, and has a result for every line', async () => {
    const lines = Array.from({ length: 1_500 }, (_, line) => {
      const unknown = Array.from({ length: 18 }, (_, at) => `"${name(line, at)}":1`)
      return `{"sku":"F-${line}","name":"N",${unknown.join()}}`
    })
    const answer = await push(lines.join('\n'))
    expect([answer.status, answer.body.summary.rejected]).toEqual([200, 1_500])
    expect(size(answer)).toBeLessThan(8 * mebibyte + 1_500 * 700)
    expect(answer.body.results).toHaveLength(1_500)
    expect(answer.body.results[0].errors).toHaveLength(18)
    expect(answer.body.results[1_499]).toMatchObject({ line: 1_500, sku: 'F-1499', outcome: 'rejected' })
    expect(answer.body.results[1_499].errors).toMatchObject([
      { code: 'unknown_field', message: expect.stringContaining('18') },
    ])
  })

  test('leaves out the changes of a dry run after 8 MiB', async () => {
    const mine = await service.tenant()
    const wide = (letter: string) =>
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`a${at}`, letter.repeat(210)]))
    const skus = Array.from({ length: 220 }, (_, index) => `W-${index}`)
    await push(
      skus.map((sku) => ({ sku, name: 'Wide', attributes: wide('x') })),
      '',
      mine,
    )
    const answer = await push(
      skus.map((sku) => ({ sku, attributes: wide('y') })),
      '?dry_run=true',
      mine,
    )
    expect(answer.body.summary.updated).toBe(220)
    expect(size(answer)).toBeLessThan(8 * mebibyte + 220 * 700)
    expect(Object.keys(answer.body.results[0].changes.attributes.before)).toHaveLength(100)
    expect(answer.body.results[219]).toMatchObject({ line: 220, outcome: 'updated', errors: [] })
    expect(answer.body.results[219]).not.toHaveProperty('changes')
  })
})

describe('fault 27: an error', () => {
  test('is far smaller than the request that it quotes', async () => {
    const names = Array.from({ length: 100 }, (_, at) => `"${`${at}`.padEnd(9_000, '\\u0001')}":1`)
    for (const body of [
      `{${names.join()}}`,
      `{"${'k'.repeat(500_000)}":1,"${'k'.repeat(500_000)}":2}`,
      `{"sku":"${'s'.repeat(900_000)}"}`,
    ]) {
      const answer = await shop.call('/v2/products', { method: 'POST', body })
      expect(answer.status).toBeGreaterThanOrEqual(400)
      expect(size(answer)).toBeLessThan(512 * 1024)
    }
  })
})
