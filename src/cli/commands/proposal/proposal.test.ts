import { beforeEach, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../../test/database/test-database.ts'
import { sharedTestService, type Tenant } from '../../../../test/harness.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let shop: Tenant
beforeEach(async () => {
  shop = await (await sharedTestService()).tenant()
})

const send = async (method: string, path: string, body?: object) =>
  (await shop.call(`/v2${path}`, { method, ...(body && { body }) })).body
const create = (body: object) => send('POST', '/products', { name: 'A product', ...body })
const propose = async (title: string, lines: object[]) =>
  String((await send('POST', `/proposals?title=${title}`, lines)).id)
const proposal = (...args: string[]) => ['proposal', ...args, '--project', String(shop.project)]

test('proposals are listed, shown with their lines, applied and reverted', async () => {
  const product = await create({ sku: 'A', price: 1 })
  const id = await propose('Prices', [
    { sku: 'A', price: 2 },
    { sku: 'B', name: 'Made' },
    { sku: 'C', price: -1 },
  ])
  expect(await catalogJson(proposal('list', '--state', 'open'))).toMatchObject([{ id: Number(id) }])
  expect((await catalog(proposal('list'))).stdout).toMatch(/^id +title .*\n\d+ +Prices +open +api/)
  expect(await catalogJson(proposal('show', id))).toEqual(await send('GET', `/proposals/${id}`))
  const { results } = await send('GET', `/proposals/${id}/lines?outcome=updated`)
  const shown = await catalogJson(proposal('show', id, '--lines', '--outcome', 'updated'))
  expect(shown).toMatchObject({ title: 'Prices', lines: results })
  const { stdout } = await catalog(proposal('show', id, '--lines'))
  expect(stdout).toMatch(/proposed +1 created, 1 updated, 1 rejected\nnow +2 open, 1 rejected\n/)
  expect(stdout).toMatch(/\n1 +A +updated +open +\d+ to \d+ +price\n/)

  const applied = await catalog(proposal('apply', id, '--json'))
  expect([applied.code, JSON.parse(applied.stdout)]).toMatchObject([0, { state: 'applied' }])
  const [entry] = (await send('GET', `/products/${product.id}/history`)).results
  expect(entry).toMatchObject({
    source: 'cli',
    actor: expect.stringMatching(/^command line/),
    proposal: Number(id),
    after: { price: 2 },
  })

  const inverse = await catalogJson(proposal('revert', id))
  expect(inverse).toMatchObject({ state: 'open', origin: 'revert', reverts: Number(id) })
  expect(inverse['summary']).toMatchObject({ total: 2, prepared: 2 })
  expect((await catalog(proposal('apply', String(inverse['id'])))).code).toBe(0)
  expect(await send('GET', `/products/${product.id}`)).toMatchObject({ price: 1 })
  expect((await catalog(proposal('show', id))).stdout).toMatch(new RegExp(`reverted_by +${inverse['id']}\\n`))
})

test('a line is edited, and an apply of an older revision changes nothing', async () => {
  const product = await create({ sku: 'H', price: 1 })
  const id = await propose('Edited', [{ sku: 'H', price: 2 }])
  const edited = await catalogJson(proposal('edit', id, '1', '--patch', '{"price": 3}'))
  expect(edited).toMatchObject({ revision: 2, lines: [{ changes: { price: { after: 3 } } }] })
  expect((await catalog(proposal('show', id, '--lines'))).stdout).toMatch(/ edited\n1 .* yes\n/)
  for (const [args, said] of [
    [['apply', id, '--revision', '1'], 'is now at revision 2'],
    [['edit', id, '1', '--patch', '{"price": -1}'], 'price'],
    [['edit', id, '1', '--patch', 'price'], 'Use a JSON object'],
  ] as const)
    expect(await catalog(proposal(...args))).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
  expect(await send('GET', `/products/${product.id}`)).toMatchObject({ price: 1 })
  expect((await catalog(proposal('apply', id, '--revision', '2'))).code).toBe(0)
  expect(await send('GET', `/products/${product.id}`)).toMatchObject({ price: 3 })
})

test('a conflict exits with 1, unless its line is selected and overwritten', async () => {
  const product = await create({ sku: 'D', price: 1 })
  const id = await propose('Conflict', [
    { sku: 'D', price: 2 },
    { sku: 'E', name: 'Made' },
  ])
  await send('PATCH', `/products/${product.id}`, { price: 5 })
  const refused = await catalog(proposal('apply', id, '--json'))
  expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([1, { state: 'partly_applied' }])
  expect((await catalog(proposal('apply', id))).code).toBe(1)
  expect((await catalog(proposal('apply', id, '--lines', '2'))).code).toBe(0)
  expect((await catalog(proposal('apply', id, '--lines', '1'))).code).toBe(1)
  expect((await catalog(proposal('show', id, '--lines', '--state', 'conflict'))).stdout).toContain(
    '/price was changed by someone else since',
  )
  expect((await catalog(proposal('apply', id, '--overwrite'))).stderr).toContain(
    '--overwrite requires --lines',
  )
  expect((await catalog(proposal('apply', id, '--lines', '1', '--overwrite'))).code).toBe(0)
  expect(await send('GET', `/products/${product.id}`)).toMatchObject({ price: 2 })
})

test('lines and whole proposals are discarded, and invalid requests are reported', async () => {
  const id = await propose('Discarded', [
    { sku: 'F', name: 'F' },
    { sku: 'G', name: 'G' },
  ])
  expect(await catalogJson(proposal('discard', id, '--lines', '2'))).toMatchObject({
    state: 'open',
    summary: { states: { open: 1, discarded: 1 } },
  })
  expect(await catalogJson(proposal('discard', id))).toMatchObject({ state: 'discarded' })
  const errors: [string[], string][] = [
    [['apply', id], `Proposal ${id} is discarded`],
    [['revert', id], 'there is nothing to revert'],
    [['show', '999999999'], 'proposal'],
    [['show', id, '--state', 'open'], 'add --lines'],
    [['apply', id, '--lines', '1,x'], 'Use whole numbers'],
  ]
  for (const [args, said] of errors) {
    const { code, stderr } = await catalog(proposal(...args))
    expect([code, stderr]).toEqual([1, expect.stringContaining(said)])
  }
})
