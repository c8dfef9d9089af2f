import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { bearer } from '../../../test/processes/served-shop.ts'
import { sql } from '../../platform/database/sql.ts'
import { openRulesets } from '../rulesets/rulesets.ts'
import { scoreProject } from './apply-rulesets.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

/** Sends the headers of a request. Resolves when the service has checked the token, and with it read the ruleset. */
async function begin({ token }: Tenant, method: string, path: string, body: unknown) {
  const text = JSON.stringify(body)
  const headers = {
    ...bearer(token),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    expect: '100-continue',
  }
  const sent = request(`${service.url}/v2${path}`, { method, headers })
  const responded = once(sent, 'response')
  sent.flushHeaders()
  await once(sent, 'continue')
  return async () => {
    sent.end(text)
    const [response] = (await responded) as [IncomingMessage]
    expect([response.statusCode, await json(response)]).toEqual([200, expect.anything()])
  }
}

/** Scores the products again at once. The service would wait until all writes know the ruleset. */
async function score({ project }: Tenant): Promise<void> {
  await service.database.query(sql`update scoring_jobs set due_at = now() where project_id = ${project}`)
  const turn = { signal: new AbortController().signal, milliseconds: 60_000 }
  await scoreProject(service.database, openRulesets(service.database), project, turn, {
    settleSeconds: 0,
    retrySeconds: 0,
  })
}

type Target = { id: number; category: number; other: number; proposal: number }

const writes: Record<string, (target: Target) => [method: string, path: string, body: unknown]> = {
  'an update': ({ id }) => ['PATCH', `/products/${id}`, { name: 'B' }],
  'a replacement': ({ id }) => ['PUT', `/products/${id}`, { sku: 'A', name: 'B' }],
  'a replacement by SKU': () => ['PUT', '/products/by-sku/A', { name: 'B' }],
  'a push': () => ['POST', '/products/bulk', [{ sku: 'A', name: 'B' }]],
  'a revert': ({ id }) => ['POST', `/products/${id}/revert`, { version: 1 }],
  'a proposal': ({ proposal }) => ['POST', `/proposals/${proposal}/apply`, {}],
  'a category merge': ({ category, other }) => ['POST', `/categories/${category}/merge`, { into: other }],
}

async function createTarget({ call }: Tenant): Promise<Target> {
  const post = async (path: string, body: unknown) =>
    (await call(`/v2${path}`, { method: 'POST', body })).body
  const category = await post('/categories', { name: 'From' })
  const other = await post('/categories', { name: 'Into' })
  const { id } = await post('/products', { sku: 'A', name: 'First', categories: [{ id: category.id }] })
  await call(`/v2/products/${id}`, { method: 'PATCH', body: { name: 'A' } })
  const proposal = await post('/proposals', [{ sku: 'A', name: 'B' }])
  return { id, category: category.id, other: other.id, proposal: proposal.id }
}

test.each(Object.entries(writes))(
  '%s that began before a ruleset change is scored by the older ruleset, until scoring runs again',
  async (_name, requestOf) => {
    const shop = await service.tenant()
    const target = await createTarget(shop)
    /** Twice each, so that the second response can come from memory. */
    const readScores = async ({ isScored = false } = {}) => {
      if (isScored) await score(shop)
      const shown = []
      for (const path of [`/v2/products/${target.id}`, '/v2/products?sku=A&expand=detail'])
        for (const body of [(await shop.call(path)).body, (await shop.call(path)).body])
          shown.push(body.results?.[0] ?? body)
      return new Set(shown.map(({ version, quality_score }) => `${version} ${quality_score.ruleset}`))
    }
    const finish = await begin(shop, ...requestOf(target))
    const rules = [{ code: 'priced', kind: 'price_present', points: 1 }]
    await shop.call('/v2/quality-rules', { method: 'PUT', body: { rules } })
    // The background can score at the same time, and then one of the two records nothing.
    await expect.poll(() => readScores({ isScored: true })).toEqual(new Set(['2 1']))
    await finish()
    expect(await readScores()).toEqual(new Set(['3 0']))
    await expect.poll(() => readScores({ isScored: true })).toEqual(new Set(['3 1']))
  },
)
