import { beforeEach, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { sharedTestService, type Tenant } from '../../../test/harness.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let shop: Tenant
beforeEach(async () => {
  shop = await (await sharedTestService()).tenant()
})

test('catalog product erase requires an archived product and a confirmation', async () => {
  const create = (body: object) => shop.call('/v2/products', { method: 'POST', body })
  const { id } = (await create({ sku: 'OLD-1', name: 'Old', status: 'archived' })).body
  await create({ sku: 'NEW-1', name: 'New', status: 'active' })
  const erase = (...args: string[]) => ['product', 'erase', '--project', String(shop.project), ...args]
  for (const [args, message] of [
    [[], 'specify the product with either --sku or --id'],
    [['--sku', 'OLD-1', '--id', '1'], 'specify the product with either --sku or --id'],
    [['--sku', 'OLD-1'], 'cannot ask for confirmation without a terminal; use --yes'],
    [['--sku', 'NEW-1', '--yes'], '(NEW-1) is active; archive it first'],
    [['--sku', 'NONE', '--yes'], 'has no product with the SKU "NONE"'],
  ] as const) {
    const { code, stderr } = await catalog(erase(...args))
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  }
  expect(await catalogJson(erase('--sku', ' OLD-1', '--yes'))).toEqual({ id, sku: 'OLD-1' })
  expect((await shop.call('/v2/products')).body.count).toBe(1)
})

test('catalog project delete requires the name of the project', async () => {
  const project = String(shop.project)
  const wrong = await catalog(['project', 'delete', project, '--name', 'Other'])
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('is "Test", not "Other"')])
  const unasked = await catalog(['project', 'delete', project])
  expect([unasked.code, unasked.stderr]).toEqual([1, expect.stringContaining('use --name')])
  expect((await shop.call('/v2/project')).status).toBe(200)

  expect(await catalogJson(['project', 'delete', project, '--name', 'Test'])).toEqual({
    id: shop.project,
    name: 'Test',
    deleted: true,
  })
  expect((await shop.call('/v2/project')).status).toBe(401)
  const again = await catalog(['project', 'delete', project, '--name', 'Test'])
  expect([again.code, again.stderr]).toEqual([1, `catalog: There is no project ${project}.\n`])
})
