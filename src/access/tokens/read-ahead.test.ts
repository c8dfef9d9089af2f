import { beforeAll, describe, expect, inject, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { buildApp } from '../../app.ts'
import { openDatabase } from '../../platform/database/database.ts'
import type { Server } from '../../platform/http/server.ts'
import { createRuntime } from '../../runtime.ts'
import { changeProject } from '../projects/manage-project.ts'
import { revokeTokenRow } from './token.sql.ts'

let service: TestService
let app: Server
/** The number of products that statements have requested. */
let productsRead = 0

beforeAll(async () => {
  service = await sharedTestService()
  const database = openDatabase({
    connection: inject('connection'),
    poolSize: 5,
    statementTimeoutSeconds: 5,
  })
  const query: typeof database.query = (statement) => {
    const [projects] = statement.values
    if (/join products as product\b/.test(statement.text)) productsRead += (projects as unknown[]).length
    return database.query(statement)
  }
  app = await buildApp({}, createRuntime({ database: { ...database, query } }))
  whenFileEnds(async () => {
    await app.close()
    await database.close()
  })
})

/** Requests a different product each time. None exists, so every accepted request returns 404. */
let nextId = 1_000_000_000
async function ask({ token }: Tenant): Promise<number> {
  nextId += 1
  const headers = { authorization: `Bearer ${token}` }
  return (await app.inject({ url: `/v2/products/${nextId}`, headers })).statusCode
}

async function askTimes(times: number, caller: Tenant): Promise<{ statuses: number[]; read: number }> {
  const before = productsRead
  const statuses = []
  for (let time = 0; time < times; time += 1) statuses.push(await ask(caller))
  return { statuses, read: productsRead - before }
}

const handled = (statuses: number[]) => statuses.filter((status) => status === 404).length

describe('no product is read for a rejected caller', () => {
  test('over its rate limit, with sequential or concurrent requests', async () => {
    const caller = await service.tenant()
    await changeProject(service.database, { name: 'tester' }, caller.project, { rateLimit: '1' })
    const { statuses, read } = await askTimes(30, caller)
    expect(new Set(statuses)).toEqual(new Set([404, 429]))
    expect(read).toBe(handled(statuses))

    const before = productsRead
    const atOnce = await Promise.all(Array.from({ length: 60 }, () => ask(caller)))
    expect(productsRead - before).toBe(handled(atOnce))
    expect(handled(atOnce)).toBeLessThan(30)
  })

  test.each([
    ['whose token is revoked', 401, ({ tokenId }: Tenant) => revokeTokenRow(service.database, tokenId)],
    [
      'whose project is locked',
      403,
      ({ project }: Tenant) =>
        changeProject(service.database, { name: 'tester' }, project, { apiAccess: 'off' }),
    ],
  ])('%s, except for the first rejected request', async (_name, status, reject) => {
    const caller = await service.tenant()
    await changeProject(service.database, { name: 'tester' }, caller.project, { rateLimit: 'none' })
    expect(await askTimes(3, caller)).toEqual({ statuses: [404, 404, 404], read: 3 })
    await reject(caller)
    const { statuses, read } = await askTimes(20, caller)
    expect(new Set(statuses)).toEqual(new Set([status]))
    expect(read).toBeLessThanOrEqual(1)
  })

  test('whose token lacks the scope', async () => {
    const caller = await service.tenant({ scopes: ['prompts:read'] })
    expect(await askTimes(5, caller)).toEqual({ statuses: Array(5).fill(403), read: 0 })
  })
})
