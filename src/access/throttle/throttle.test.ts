import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { signIn } from '../../../test/console-user.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'
import { createRateLimiter, rateLimitMemory } from '../../platform/http/limits/rate-limit.ts'
import { Problem } from '../../platform/http/problems.ts'
import { openThrottle, signInLimits } from './throttle.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('throttle'))
})

const anyEmail = () => `${randomUUID()}@test.example`
const wrong = () => Promise.reject(new Problem('wrong_credentials'))
const openOwnThrottle = () => openThrottle(service.database, createRateLimiter(rateLimitMemory()).address)

/** Exhausts the limit of an address: 30 wrong passwords for 30 accounts. */
async function useUp(throttled: ReturnType<typeof openOwnThrottle>, address: string): Promise<void> {
  for (let time = 0; time < 30; time += 1)
    await expect(throttled(signInLimits(anyEmail(), address), wrong)).rejects.toMatchObject({
      problemCode: 'wrong_credentials',
    })
}
/** Detects any write, because even an unchanged row gets a new transaction id. */
const counted = () =>
  service.database.query(sql`select key, failures, xmin::text, xmax::text from sign_in_failures`)

describe('a throttled sign-in', () => {
  test('writes nothing, even in a process that has not seen the address, for any email', async () => {
    await useUp(openOwnThrottle(), '127.0.0.1')
    const before = await counted()
    for (let time = 0; time < 5; time += 1) {
      const { status, body, headers } = await signIn(service, anyEmail(), 'not the password')
      expect([status, body.code]).toEqual([429, 'too_many_attempts'])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect(await counted()).toEqual(before)
  })

  test('from an address that failed in this process does not query the database', async () => {
    const throttled = openOwnThrottle()
    await useUp(throttled, '192.0.2.7')
    await service.database.transaction(async (tx) => {
      await tx.query(sql`lock table sign_in_failures in access exclusive mode`)
      await expect(throttled(signInLimits(anyEmail(), '192.0.2.7'), wrong)).rejects.toMatchObject({
        problemCode: 'too_many_attempts',
      })
    })
  })

  test('does not affect other addresses, and correct passwords do not count', async () => {
    const throttled = openOwnThrottle()
    await useUp(throttled, '192.0.2.8')
    const email = anyEmail()
    for (let time = 0; time < 40; time += 1)
      expect(await throttled(signInLimits(email, '192.0.2.9'), async () => 'right')).toBe('right')
  })
})
