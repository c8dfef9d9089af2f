import { beforeAll, beforeEach, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import { sql } from '../../platform/database/sql.ts'
import { addModelOutcomes } from '../prompts/model-outcomes.sql.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { type ModelLine, proposeModelLines } from './propose-model-lines.ts'

let service: TestService
let shop: Tenant
let promptId: number
beforeAll(async () => {
  service = await sharedTestService()
})
beforeEach(async () => {
  shop = await service.tenant()
  promptId = (await send('POST', '/prompts', { name: 'Describe', prompt_text: 'Describe {{name}}' })).body.id
})

const send = async (method: string, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method, ...(body && { body }) })
const create = async (sku: string, body: object = {}) =>
  (await send('POST', '/products', { sku, name: 'Lamp', description: 'Old', ...body })).body
const writtenBy = () => ({ prompt_id: promptId, version_number: '1.0.0', model: 'm-1', currency: 'EUR' })

/** A line for a product as the model read it. */
function written(
  { id, sku, version }: { id: number; sku: string; version: number },
  values: ModelLine['values'],
  seen: ModelLine['values'],
  flags: ModelLine['flags'] = [],
): Omit<ModelLine, 'line'> {
  return { product_id: id, sku, values, base: { version, values: seen }, flags }
}

function propose(lines: Omit<ModelLine, 'line'>[], fails = false, model = writtenBy()) {
  const author = { actor: 'API client', source: 'api' } as const
  return service.database.transaction(async (tx) => {
    const ruleset = await currentRuleset(tx, shop.project)
    const push = { projectId: shop.project, author, ruleset, mode: 'update' } as const
    const proposing = { push, title: 'Run 7', tokenId: null, run: { id: 7, writtenBy: model } }
    const numbered = lines.map((line, index) => ({ ...line, line: index + 1 }))
    const proposal = await proposeModelLines(tx, proposing, [numbered])
    if (fails) throw new Error('after the proposal')
    return proposal
  })
}

const linesOf = async (id: number, query = '') =>
  (await send('GET', `/proposals/${id}/lines${query}`)).body.results
const sums = async () =>
  (
    await service.database.query(sql<Record<string, number>>`
      select lines, accepted, edited, rejected, accepted_fields, cost from model_outcomes
      where project_id = ${shop.project} and prompt_id = ${promptId}`)
  )[0]

test('the lines of a run show their run, provenance and flags, and are checked like push lines', async () => {
  await send('POST', '/attributes', { name: 'color', type: 'choice', allowed: ['red'], mode: 'enforce' })
  const [one, two, gone] = [await create('R-1'), await create('R-2'), await create('R-3')]
  const proposal = await propose([
    written(one, { description: 'New 20 W' }, { description: 'Old' }, ['number_not_in_source']),
    written(two, { 'attributes.color': 'blue' }, { 'attributes.color': null }),
    { ...written(gone, { description: 'New' }, { description: 'Old' }), product_id: 999_999_999 },
  ])
  const { body } = await send('GET', `/proposals/${proposal.id}`)
  expect(body).toMatchObject({ origin: 'run', run: 7, revision: 1, state: 'open' })
  expect(body.summary.outcomes).toEqual({ created: 0, updated: 1, unchanged: 0, rejected: 2 })
  const lines = await linesOf(proposal.id)
  expect(lines[0]).toMatchObject({
    sku: 'R-1',
    changes: { description: { before: 'Old', after: 'New 20 W' } },
    flags: ['number_not_in_source'],
    provenance: { description: { prompt_id: promptId, version_number: '1.0.0', model: 'm-1' } },
  })
  expect(lines[1]).toMatchObject({ state: 'rejected', errors: [{ pointer: '/attributes/color' }] })
  expect(lines[2]).toMatchObject({ state: 'rejected', sku: 'R-3', errors: [{ code: 'not_found' }] })
  expect(await linesOf(proposal.id, '?flag=number_not_in_source')).toHaveLength(1)
  expect(await linesOf(proposal.id, '?flag=cut')).toEqual([])
  expect(await sums()).toMatchObject({ lines: 3, rejected: 2, accepted: 0 })
})

test('a field that someone changed after the model read it is a conflict, and other fields are not', async () => {
  const [one, two] = [await create('S-1'), await create('S-2')]
  await send('PATCH', `/products/${one.id}`, { description: 'By a person' })
  await send('PATCH', `/products/${two.id}`, { name: 'Desk lamp', sku: 'S-2-B' })
  const seen = { name: 'Lamp', description: 'Old' }
  const proposal = await propose([
    written(one, { name: 'Lamp', description: 'By the model' }, seen),
    written(two, { name: 'Lamp', description: 'By the model' }, seen),
  ])
  expect((await send('POST', `/proposals/${proposal.id}/apply`)).body.summary.states).toMatchObject({
    applied: 1,
    conflict: 1,
  })
  expect((await linesOf(proposal.id))[0].conflicts).toEqual({
    description: { base: 'Old', theirs: 'By a person', ours: 'By the model' },
  })
  expect((await send('GET', `/products/${two.id}`)).body).toMatchObject({
    name: 'Desk lamp',
    description: 'By the model',
  })
})

test('the outcomes of a model count each decision once, and edits and undo as such', {
  tags: 'slow',
}, async () => {
  const products = await Promise.all(['U-1', 'U-2', 'U-3', 'U-4'].map((sku) => create(sku)))
  const prompt = (await send('POST', '/prompts', { name: 'Counted', prompt_text: 'T' })).body.id
  const model = { prompt_id: prompt, version_number: '1.0.0', model: 'm-2', currency: 'EUR' }
  const seen = { name: 'Lamp', description: 'Old' }
  const lines = products.map((one) => written(one, { name: 'Desk lamp', description: 'New' }, seen))
  const { id } = await propose(lines, false, model)
  const outcomes = async () => (await send('GET', `/prompts/${prompt}/outcomes`)).body.results
  expect(await outcomes()).toMatchObject([
    { version_number: '1.0.0', writes: 0, kept_rate: null, first_at: null, models: [{ lines: 4 }] },
  ])
  await service.database.transaction((tx) =>
    addModelOutcomes(tx, shop.project, [{ ...model, cost: 1_000_001n }]),
  )
  await send('PATCH', `/proposals/${id}/lines/2`, { patch: { description: 'Better' } })
  await send('PATCH', `/products/${products[2].id}`, { name: 'By a person' })
  await send('POST', `/proposals/${id}/discard`, { lines: [4] })
  await send('POST', `/proposals/${id}/apply`)
  await send('POST', `/proposals/${id}/apply`)
  const counts = { lines: 4, accepted: 1, edited: 1, rejected: 1, cost: 1.000001 }
  expect((await outcomes())[0].models).toEqual([
    { model: 'm-2', currency: 'EUR', ...counts, cost_per_accepted_field: 0.333334 },
  ])
  await send('POST', `/proposals/${id}/apply`, { lines: [3], overwrite: true })
  await send('POST', `/proposals/${id}/discard`)
  const revert = (await send('POST', `/proposals/${id}/revert`)).body
  await untilPrepared(service, revert.id)
  await send('POST', `/proposals/${revert.id}/apply`)
  expect((await outcomes())[0].models).toMatchObject([{ ...counts, accepted: 2 }])
})

test('a transaction that fails later leaves no proposal, no lines and no sums', async () => {
  const one = await create('T-1')
  const before = [await sums(), (await send('GET', '/proposals')).body.count]
  await expect(propose([written(one, { name: 'A' }, { name: 'Lamp' })], true)).rejects.toThrow('after the')
  expect([await sums(), (await send('GET', '/proposals')).body.count]).toEqual(before)
})
