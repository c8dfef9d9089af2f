import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { ownDatabase } from '../../../test/database/test-database.ts'
import {
  breakPreparation,
  hurryPreparation,
  preparationJobOf,
  proposeEdit,
  shopWithProduct,
} from '../../../test/failing-preparation.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { untilPrepared } from '../../../test/prepared-proposal.ts'
import { sql } from '../../platform/database/sql.ts'
import { jobLimits } from '../../platform/limits/jobs.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('failed_preparation'), {
    jobLimits: { ...jobLimits, pollMilliseconds: 20 },
  })
})

const shown = async (shop: Tenant, id: number) => (await shop.call(`/v2/proposals/${id}`)).body

test('a proposal that cannot be prepared fails with a reason after five attempts, and does not delay other projects', {
  tags: 'slow',
}, async () => {
  const [broken, other] = await Promise.all([shopWithProduct(service), shopWithProduct(service)])
  const manager = await consoleUser(service, { projects: [broken.project] })
  onTestFinished(await breakPreparation(service, broken.project))
  const id = await proposeEdit(broken)
  const attempts = async () => (await preparationJobOf(service, id))?.attempts
  await expect.poll(attempts).toBeGreaterThan(0)
  const others = await proposeEdit(other)
  await untilPrepared(service, others)
  expect(await shown(other, others)).toMatchObject({ state: 'open', reason: null })

  await expect.poll(() => hurryPreparation(service, id)).toBe('failed')
  expect(await attempts()).toBe(5)
  expect(await shown(broken, id)).toMatchObject({
    reason: expect.stringMatching(/^An unexpected error occurred in 5 attempts\./),
    summary: { total: 1, prepared: 0 },
  })
  const applied = await broken.call(`/v2/proposals/${id}/apply`, { method: 'POST', body: {} })
  expect([applied.status, applied.body.code]).toEqual([409, 'proposal_closed'])
  const { results } = (await broken.call('/v2/events')).body
  expect(results.map(({ type }: { type: string }) => type)).toContain('proposal.failed')
  expect((await manager.call('/console/api/notifications')).body.results).toMatchObject([
    { kind: 'job_failed', title: 'proposal.prepare', events: 1, project: { id: broken.project } },
  ])
})

test('a proposal whose first preparation attempt fails opens after the second', async () => {
  const shop = await shopWithProduct(service)
  const repair = await breakPreparation(service, shop.project)
  onTestFinished(repair)
  const id = await proposeEdit(shop)
  const attempts = async () => (await preparationJobOf(service, id))?.attempts
  await expect.poll(attempts).toBe(1)
  await repair()
  const [before] = await service.database.query(
    sql<{ attempts: number }>`update jobs set attempts = 1, due_at = clock_timestamp()
      where kind = 'proposal.prepare' and key = ${String(id)} returning attempts`,
  )
  expect(before).toEqual({ attempts: 1 })
  await expect.poll(attempts).toBeUndefined()
  expect(await shown(shop, id)).toMatchObject({ state: 'open', reason: null })
  expect(await service.database.query(sql`select from jobs where last_error like '%bigint%'`)).toEqual([])
})
