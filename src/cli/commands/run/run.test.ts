import { beforeAll, expect, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../../test/database/test-database.ts'
import { startTestService, type Tenant } from '../../../../test/harness.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { addProducts, addPrompt, connectModel, sampleModel, untilRun } from '../../../../test/run-shop.ts'

const connection = await ownDatabase('run_command')
const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(connection) })
let shop: Tenant
let prompt: number
beforeAll(async () => {
  const model = await sampleModel()
  const service = await startTestService({}, connection, { modelLimits: { allow: [model.origin] } })
  shop = await service.tenant()
  await connectModel(service, shop, model)
  await addProducts(shop, 3)
  prompt = await addPrompt(shop, 'Describe the product. name: {{name}}')
})

const run = (...args: string[]) => ['run', ...args, '--project', String(shop.project)]

test('a run is previewed, started, shown, continued and listed', async () => {
  const request = [
    '--filter',
    '',
    '--write',
    'description',
    '--provider',
    'sample',
    '--model',
    'sample',
    '--budget',
    '1',
  ]
  const preview = await catalogJson(run('start', String(prompt), ...request, '--dry-run'))
  expect(preview).toMatchObject({ products: 3, cost: { currency: 'EUR' } })
  const shown = await catalog(run('start', String(prompt), ...request, '--dry-run'))
  expect(shown.stdout).toMatch(/^products +3\n(.*\n)*\nProduct \d+:\nDescribe the product\./)
  const started = await catalogJson(run('start', String(prompt), ...request, '--sample', '1'))
  expect(started).toMatchObject({
    state: 'sampling',
    products: 3,
    actor: expect.stringMatching(/^command line/),
  })
  const id = String(started.id)
  await untilRun(shop, started.id, ['waiting'])
  expect(await catalogJson(run('raise', id, '--amount', '2'))).toMatchObject({
    state: 'waiting',
    cost: { budget: 2 },
  })
  expect(await catalogJson(run('continue', id))).toMatchObject({ state: 'running' })
  const done = await untilRun(shop, started.id, ['done'])
  expect(await catalogJson(run('show', id))).toEqual(done)
  expect((await catalog(run('show', id))).stdout).toMatch(/\nbudget +2\n(.*\n)*spent +0\.\d+\n/)
  expect((await catalog(run('list', '--state', 'done'))).stdout).toMatch(/^id +state .*\n\d+ +done/)
  expect(await catalogJson(run('calls', id, '--state', 'done'))).toHaveLength(3)
  const late = await catalog(run('cancel', id))
  expect([late.code, late.stderr]).toEqual([1, expect.stringContaining('is done')])
})
