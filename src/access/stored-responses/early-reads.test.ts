import { expect, inject, test } from 'vitest'
import { sharedTestService } from '../../../test/harness.ts'
import { buildApp } from '../../app.ts'
import { loadConfig } from '../../config.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { createRuntime } from '../../runtime.ts'

/** More projects than the cache keeps fences for. */
const manyProjects = 10_000
const noEvents = { server: 's', unrecorded: null, number: null, key: null, since: null, unnumbered: null }

test('a read that began without a known fence is not stored with a later one', { tags: 'slow' }, async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  const { body: product } = await shop.call('/v2/products', {
    method: 'POST',
    body: { sku: 'A', name: 'Old' },
  })
  const database = openDatabase({
    connection: inject('connection'),
    poolSize: 8,
    statementTimeoutSeconds: 30,
  })
  const runtime = createRuntime({ database, cacheMegabytes: 8 })
  let beforeCheck = async () => {}
  const app = await buildApp(loadConfig({ port: 0, logLevel: 'silent' }, {}), {
    ...runtime,
    findFenced: async (hash: string) => {
      await beforeCheck()
      return runtime.findFenced(hash)
    },
  })
  const nameOf = async () => {
    const headers = { authorization: `Bearer ${shop.token}` }
    return (await app.inject({ url: `/v2/products/${product.id}`, headers })).json().name
  }
  expect(await nameOf()).toBe('Old')
  for (let id = 1; id <= manyProjects; id += 1)
    runtime.stored?.observe({ project_id: 1e9 + id, ruleset: 0, currency: 'EUR' }, noEvents)
  beforeCheck = async () => {
    beforeCheck = async () => {}
    // The early read, if there is one, ends before the change.
    await new Promise((resolve) => setTimeout(resolve, 200))
    await shop.call(`/v2/products/${product.id}`, { method: 'PATCH', body: { name: 'New' } })
    // Numbers the event.
    await shop.call('/v2/events')
  }
  await nameOf()
  expect(await nameOf()).toBe('New')
  await app.close()
  await database.close()
})
