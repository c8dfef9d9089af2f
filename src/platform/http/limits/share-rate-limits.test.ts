import { beforeAll, expect, test, vi } from 'vitest'
import {
  sharedTestService,
  startTestService,
  type Tenant,
  type TestService,
} from '../../../../test/harness.ts'
import { rawRequest } from '../../../../test/requests/raw-request.ts'
import { sql } from '../../database/sql.ts'

let first: TestService
let second: TestService
const plan = `shared-${process.pid}`
beforeAll(async () => {
  first = await sharedTestService()
  second = await startTestService()
  await first.database.query(sql`
    insert into plans (code, name, api_access, requests_per_second, burst)
    values (${plan}, 'Shared', true, 1, 100)`)
})

const requests = (token: string, count: number, path = '/v2/categories') => {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  return `${`${head}\r\n`.repeat(count - 1)}${head}Connection: close\r\n\r\n`
}

async function accepted({ url }: TestService, { token }: Tenant, count: number): Promise<number> {
  return (await rawRequest(url, requests(token, count))).split('HTTP/1.1 200 ').length - 1
}

/** Once the service has reported a request to the database, it knows of the others. */
async function untilItTells(service: TestService): Promise<void> {
  const tenant = await first.tenant({ plan })
  await vi.waitFor(
    async () => {
      await accepted(service, tenant, 1)
      const reported = await first.database.query(
        sql`select from rate_limit_buckets where project_id = ${tenant.project}`,
      )
      expect(reported).toHaveLength(1)
    },
    { timeout: 30_000, interval: 100 },
  )
}

test('two services on one database share one limit per project', async () => {
  await untilItTells(first)
  await untilItTells(second)
  const shop = await first.tenant({ plan })
  expect(await accepted(first, shop, 150)).toBeGreaterThanOrEqual(100)
  let byTheOther = 0
  await vi.waitFor(
    async () => {
      const passed = await accepted(second, shop, 1)
      byTheOther += passed
      expect(passed).toBe(0)
    },
    { timeout: 30_000, interval: 50 },
  )
  expect(byTheOther).toBeLessThan(50)
})
