import { expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService } from '../../../test/harness.ts'
import { connectModel } from '../../../test/run-shop.ts'

test('an editor reads the models and prices of the providers, but neither their address nor their key; a viewer reads nothing', async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  await connectModel(service, shop, { url: 'http://127.0.0.1:9/v1' })
  const path = `/console/api/projects/${shop.project}`
  const editor = await consoleUser(service, { memberships: [{ project_id: shop.project, role: 'editor' }] })
  const { status, body } = await editor.call(`${path}/run-models`)
  expect(status).toBe(200)
  expect(body.results).toMatchObject([{ name: 'sample', currency: 'EUR', state: 'enabled' }])
  expect(body.results[0].models).toContainEqual(
    expect.objectContaining({ name: 'sample', input_price: 1, output_price: 1 }),
  )
  expect(Object.keys(body.results[0]).sort()).toEqual(['currency', 'models', 'name', 'state'])
  expect((await editor.call(`${path}/ai-providers`)).status).toBe(403)
  const viewer = await consoleUser(service, { memberships: [{ project_id: shop.project, role: 'viewer' }] })
  expect((await viewer.call(`${path}/run-models`)).status).toBe(403)
})
