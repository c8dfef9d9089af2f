import { beforeAll, expect, inject, test } from 'vitest'
import { sharedTestService, type TestService } from '../test/harness.ts'
import { whenFileEnds } from '../test/setup/file-end.ts'
import { buildApp } from './app.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import type { Server } from './platform/http/server.ts'
import { createRuntime } from './runtime.ts'

let service: TestService
let app: Server
let texts: string[] = []
beforeAll(async () => {
  service = await sharedTestService()
  const opened = openDatabase({ connection: inject('connection'), poolSize: 5, statementTimeoutSeconds: 5 })
  const database: Database = {
    ...opened,
    query(statement) {
      texts.push(statement.text)
      return opened.query(statement)
    },
  }
  app = await buildApp({}, createRuntime({ database }))
  whenFileEnds(async () => {
    await app.close()
    await opened.close()
  })
})

test('simultaneous requests share their statements, regardless of their prefix', async () => {
  const shop = await service.tenant()
  const ids = await Promise.all(
    ['A', 'B', 'C', 'D'].map(
      async (sku) => (await shop.call('/v2/products', { method: 'POST', body: { sku, name: sku } })).body.id,
    ),
  )
  const headers = { authorization: `Bearer ${shop.token}` }
  const ask = (url: string) => app.inject({ url, headers })
  // The first request shows which project the token belongs to; from then on the product is read together with the token.
  await ask(`/v2/products/${ids[0]}`)
  texts = []
  const responses = await Promise.all(
    ids.map((id, index) => ask(`/${index % 2 === 0 ? 'api' : 'v2'}/products/${id}`)),
  )
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(texts.filter((text) => /join products as product\b/.test(text))).toHaveLength(1)
  expect(texts.filter((text) => /\btokens\b/.test(text))).toHaveLength(1)
})
