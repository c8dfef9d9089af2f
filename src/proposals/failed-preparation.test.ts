import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { ownDatabase } from '../../test/database/test-database.ts'
import {
  breakPreparation,
  hurryPreparation,
  preparationJobOf,
  proposeEdit,
  shopWithProduct,
} from '../../test/failing-preparation.ts'
import { startTestService, type Tenant, type TestService } from '../../test/harness.ts'
import { untilPrepared } from '../../test/prepared-proposal.ts'
import { jobLimits } from '../jobs/run-jobs.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('failed_preparation'), {
    jobLimits: { ...jobLimits, lookMilliseconds: 20 },
  })
})

const shown = async (shop: Tenant, id: number) => (await shop.call(`/v2/proposals/${id}`)).body

test('a proposal that cannot be prepared fails with its reason after five attempts, and those of other projects open meanwhile', async () => {
  const [broken, other] = await Promise.all([shopWithProduct(service), shopWithProduct(service)])
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
})
