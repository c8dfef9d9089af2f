import { beforeAll, expect, test } from 'vitest'
import { backendOf, isWaitedFor, until } from '../../../test/database/blocked.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import { defaultRuleset } from '../../model/quality/ruleset.ts'
import { eraseProduct } from '../../operations/erase/erase-product.ts'
import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { createProposal } from './create-proposal.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
})

const send = async (method: string, path: string, body?: object, headers = {}) =>
  shop.call(`/v2${path}`, { method, headers, ...(body && { body }) })
const create = async (body: object) => (await send('POST', '/products', { name: 'A product', ...body })).body
const propose = async (lines: object[], query = '') => {
  const { status, body } = await send('POST', `/proposals${query}`, lines)
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}
const apply = (id: number, body: object = {}) => send('POST', `/proposals/${id}/apply`, body)
const shown = async (id: number) => (await send('GET', `/proposals/${id}`)).body
const linesOf = async (id: number, query = '') =>
  (await send('GET', `/proposals/${id}/lines${query}`)).body.results
const change = (statement: ReturnType<typeof sql>) =>
  service.database.transaction((tx) => tx.query(statement))
const own = (id: number) => sql`project_id = ${shop.project} and id = ${id}`

const erase = async (id: number) => {
  await send('PATCH', `/products/${id}`, { status: 'archived' })
  await eraseProduct(service.database, { name: 'tester' }, shop.project, id)
}

test('erasing a product removes it from proposals, discards its open lines and keeps counts exact', {
  tags: 'slow',
}, async () => {
  const product = await create({ sku: 'SECRET', description: 'Hidden', price: 1 })
  await create({ sku: 'KEPT', price: 1 })
  const lines = [{ sku: 'SECRET', description: 'Hidden too' }]
  const whole = await propose(lines)
  const part = await propose([...lines, { sku: 'KEPT', price: 2 }])
  const applied = await propose([{ sku: 'SECRET', price: 2 }])
  await apply(applied.id)
  const moved = await propose([{ sku: 'SECRET', price: 4 }])
  await send('PATCH', `/products/${product.id}`, { price: 5 })
  await apply(moved.id)
  const inverse = (await send('POST', `/proposals/${applied.id}/revert`)).body
  await untilPrepared(service, inverse.id)
  expect((await shown(inverse.id)).state).toBe('open')
  const edited = await propose([{ sku: 'SECRET', description: 'Hidden first' }])
  const patch = { description: 'Hidden later' }
  expect((await send('PATCH', `/proposals/${edited.id}/lines/1`, { patch })).body).toHaveProperty('original')
  const closed = await propose([{ sku: 'SECRET', price: 9 }])
  await change(sql`update proposals set state = 'expired' where ${own(closed.id)}`)
  await erase(product.id)

  const all = [whole, part, applied, moved, inverse, closed, edited]
  const responses = await Promise.all(all.map(async ({ id }) => [await shown(id), await linesOf(id)]))
  expect(JSON.stringify(responses)).not.toMatch(/SECRET|Hidden/)
  expect(responses.map(([{ state, summary }]) => [state, summary.states.discarded])).toEqual([
    ['discarded', 1],
    ['open', 1],
    ['applied', 0],
    ['discarded', 1],
    ['discarded', 1],
    ['expired', 1],
    ['discarded', 1],
  ])
  expect(responses.map(([{ summary }]) => summary.states.open + summary.states.conflict)).toEqual([
    0, 1, 0, 0, 0, 0, 0,
  ])
  expect((await apply(part.id)).body.state).toBe('partly_applied')
  expect((await send('POST', `/proposals/${applied.id}/revert`)).status).toBe(201)
})

test('an older release that erases the product of an edited line also removes its original', async () => {
  await create({ sku: 'SECRET-3', description: 'Old' })
  const { id } = await propose([{ sku: 'SECRET-3', description: 'Hidden' }])
  await send('PATCH', `/proposals/${id}/lines/1`, { patch: { description: 'Edited' } })
  await change(sql`
    update proposal_lines set sku = null, changes = null, patch = null, state = 'discarded'
    where project_id = ${shop.project} and proposal_id = ${id}`)
  expect((await linesOf(id))[0]).not.toHaveProperty('original')
})

test('a proposal that is created during the erasure of a product does not contain the product', async () => {
  const product = await create({ sku: 'SECRET-2', description: 'Hidden' })
  await send('PATCH', `/products/${product.id}`, { status: 'archived' })
  const { database } = service
  const [isRead, isEnded] = [Promise.withResolvers<number>(), Promise.withResolvers<void>()]
  const slow: Database = {
    ...database,
    transaction: (work, limits) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        isRead.resolve(await backendOf(tx))
        await isEnded.promise
        return result
      }, limits),
  }
  const author = { actor: 'tester', source: 'api' } as const
  const push = { projectId: shop.project, author, ruleset: defaultRuleset, mode: 'upsert' } as const
  const line = {
    number: 1,
    bytes: Buffer.from('{"sku": "SECRET-2", "description": "Hidden too"}'),
    spent: [],
  }
  const proposing = createProposal(slow, { push, title: 'T', origin: 'api', tokenId: null }, [line])
  const backend = await isRead.promise
  let isErased = false
  const erasing = eraseProduct(database, { name: 'tester' }, shop.project, product.id).then(() => {
    isErased = true
  })
  await until(async () => isErased || (await isWaitedFor(database, backend)))
  isEnded.resolve()
  const [id] = await Promise.all([proposing, erasing])
  expect(JSON.stringify(await linesOf(id))).not.toMatch(/SECRET|Hidden/)
  expect((await shown(id)).state).toBe('discarded')
})
