import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { serveAddedField } from '../../../test/added-field/serve-added-field.ts'
import { ownCommandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

let served: Awaited<ReturnType<typeof serveAddedField>>
let catalogJson: ReturnType<typeof ownCommandRunner>['catalogJson']
beforeAll(async () => {
  served = await serveAddedField()
  catalogJson = ownCommandRunner(served.program).catalogJson
})

test('a field that is added to the table works in create, patch, put, push, detail, history, as_of, files and the document', async () => {
  const { url, openShop } = served
  const { call } = await openShop()

  const made = await call('POST', '/products', { sku: 'A', name: 'A', maker: 'Acme' })
  expect(made).toMatchObject({ version: 1, maker: 'Acme' })
  expect(await call('POST', '/products', { sku: 'B', name: 'B' })).toMatchObject({ maker: '' })

  const at = `/products/${made.id}`
  expect(await call('PATCH', at, { maker: 'Bolt' })).toMatchObject({ version: 2, maker: 'Bolt' })
  expect(await call('PATCH', at, { inventory: { quantity: 3 }, maker: 'Cog' })).toMatchObject({
    maker: 'Cog',
  })
  expect(await call('PUT', at, { sku: 'A', name: 'A' })).toMatchObject({ version: 4, maker: '' })
  const lines = [
    { sku: 'A', maker: 'Dyn' },
    { sku: 'A', maker: 'Dyn' },
    { sku: 'C', name: 'C', maker: 'Dyn' },
    { sku: 'B', name: 'Named' },
  ]
  const { results } = await call('POST', '/products/bulk', lines)
  expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'updated',
    'unchanged',
    'created',
    'updated',
  ])
  const bySku = await call('PUT', '/products/by-sku/D', { name: 'D', maker: 'Erg' })

  expect(await call('GET', at)).toMatchObject({ version: 5, maker: 'Dyn' })
  const listed = await call('GET', '/products?expand=detail')
  expect(listed.results.map(({ maker }: { maker: string }) => maker)).toEqual(['Dyn', '', 'Dyn', 'Erg'])
  const history = await call('GET', `${at}/history`)
  expect(history.results.map(({ after }: { after: { maker: string } }) => after.maker)).toEqual([
    'Dyn',
    '',
    'Cog',
    'Bolt',
    'Acme',
  ])
  expect(history.results[0]).toMatchObject({ before: { maker: '' }, after: { maker: 'Dyn' } })
  expect(await call('GET', `${at}?as_of=${made.updated_at}`)).toMatchObject({ version: 1, maker: 'Acme' })

  const file = join(temporaryFolder(), 'products.csv')
  writeFileSync(file, await call('GET', '/products/export?format=csv'))
  expect(readFileSync(file, 'utf8').split('\n')[0]).toMatch(/^sku,name,.*,maker,price,/)
  const other = await openShop()
  expect(await catalogJson(['import', file, '--project', String(other.project)])).toMatchObject({
    created: 4,
  })
  expect(await other.call('GET', '/products/by-sku/D')).toMatchObject({ maker: 'Erg', name: bySku.name })

  const { components } = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
  for (const name of [
    'ProductCreate',
    'ProductPut',
    'ProductPatch',
    'ProductPush',
    'ProductDetail',
    'ListedProduct',
  ])
    expect(components.schemas[name].properties, name).toHaveProperty('maker')
})

test('a field that is added to the table works in edits, quality rules, prompt variables and import maps', async () => {
  const { openShop } = served
  const { project, call } = await openShop()
  const { id } = await call('POST', '/products', { sku: 'A', name: 'A', maker: 'Acme' })

  const edits = [
    { field: 'maker', op: 'append', value: ' Ltd' },
    { field: 'maker', op: 'replace', value: { find: 'Acme', with: 'Bolt' } },
  ]
  const proposal = await call('POST', '/proposals/from-filter', { filter: '', edits })
  const state = async () => (await call('GET', `/proposals/${proposal.id}`)).state
  await expect.poll(state).toBe('open')
  const { results } = await call('GET', `/proposals/${proposal.id}/lines`)
  expect(results).toMatchObject([{ changes: { maker: { before: 'Acme', after: 'Bolt Ltd' } } }])

  const rules = [{ code: 'maker_length', kind: 'text_length', field: 'maker', min: 5, points: 10 }]
  expect((await call('PUT', '/quality-rules', { rules })).rules).toMatchObject([
    { message: 'The maker should have at least 5 characters, not counting markup.' },
  ])
  expect((await call('PATCH', `/products/${id}`, { name: 'B' })).quality_score).toMatchObject({
    score: 0,
    rules: [{ code: 'maker_length', field: 'maker', passed: false }],
  })

  const prompt = await call('POST', '/prompts', { name: 'P', prompt_text: 'Made by {{maker}}' })
  expect(await call('POST', `/prompts/${prompt.id}/render`, { product_id: id })).toMatchObject({
    rendered_text: 'Made by Acme',
  })

  const folder = temporaryFolder()
  const [file, map] = [join(folder, 'makers.csv'), join(folder, 'map.json')]
  writeFileSync(file, 'Number,Title,Made by\nM,Em,Cog\n')
  writeFileSync(map, JSON.stringify({ columns: { Number: 'sku', Title: 'name', 'Made by': 'maker' } }))
  await catalogJson(['import', file, '--project', String(project), '--map', map])
  expect(await call('GET', '/products/by-sku/M')).toMatchObject({ name: 'Em', maker: 'Cog' })
})
