import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { changeProject } from './manage-project.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

test('a token reads its own project: plan, limits, currency and scopes', async () => {
  const { call, project, tokenId } = await service.tenant({
    plan: 'pro',
    currency: 'USD',
    name: 'Reader',
    scopes: ['products:read'],
  })
  const { body } = await call('/v2/project')
  expect(body).toEqual({
    id: project,
    name: 'Test',
    plan: 'pro',
    api_access: true,
    currency: 'USD',
    rate_limit: { requests_per_second: 100, burst: 200 },
    token: { id: tokenId, name: 'Reader', scopes: ['products:read'] },
  })
})

test('the rate limit that the operator sets is returned', async () => {
  const { call, project } = await service.tenant({ plan: 'pro' })
  await changeProject(service.database, { name: 'tester' }, project, { rateLimit: '7' })
  expect((await call('/v2/project')).body.rate_limit).toEqual({ requests_per_second: 7, burst: 14 })
})
