import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import type { Tenant, TestService } from '../../../test/harness.ts'
import {
  addProducts,
  addPrompt,
  connectModel,
  createConnectedShop,
  createFilledShop,
  resetAfterEach,
  sampleModel,
  startRun,
  startRunService,
  untilRun,
} from '../../../test/run-shop.ts'
import type { SampleModel } from '../../../test/sample-model/sample-model.ts'
import { revokeTokenRow } from '../../access/tokens/token.sql.ts'
import { sql } from '../../platform/database/sql.ts'

let service: TestService
let model: SampleModel
beforeAll(async () => {
  model = await sampleModel()
  service = await startRunService('runs', model)
})
resetAfterEach(() => model)

const shopWith = (count: number, settings?: Parameters<typeof createFilledShop>[2]) =>
  createFilledShop({ service, model }, count, settings)

const post = (shop: Tenant, path: string, body?: object) =>
  shop.call(`/v2${path}`, { method: 'POST', ...(body && { body }) })
const linesOf = async (shop: Tenant, run: { proposals: number[] }) => {
  const pages = await Promise.all(
    run.proposals.map((id) => shop.call(`/v2/proposals/${id}/lines?page_size=100`)),
  )
  return pages.flatMap(({ body }) => body.results)
}
const callsOf = async (shop: Tenant, id: number, state = '') =>
  (await shop.call(`/v2/runs/${id}/calls?page_size=100${state && `&state=${state}`}`)).body.results

describe('a run in a view', () => {
  const viewed = async (shop: Tenant, id: number, query = 'view=de') =>
    (await shop.call(`/v2/products/${id}?${query}`)).body

  async function shopWithView(count: number) {
    const shop = await createConnectedShop({ service, model })
    const define = (code: string, body: object) =>
      shop.call(`/v2/views/${code}`, { method: 'PUT', body: { label: code, ...body } })
    await define('en', { currency: 'USD' })
    await define('de', { locale: 'de-DE', falls_back_to: ['en'], requires: ['description'] })
    await define('fr', {})
    // The products are written with these views, so their marks are current.
    await service.database.query(
      sql`update scoring_jobs set is_marking = false where project_id = ${shop.project}`,
    )
    const ids = await addProducts(shop, count)
    return { shop, ids }
  }

  test('writes only the view, from the text that the view translates, and marks its source', {
    tags: 'slow',
  }, async () => {
    const { shop, ids } = await shopWithView(3)
    const [first = 0, second = 0, third = 0] = ids
    const edit = (id: number, body: object) => shop.call(`/v2/products/${id}`, { method: 'PATCH', body })
    await edit(first, { description: 'Base', views: { en: { description: 'English' } } })
    await edit(second, { description: 'Base 2', price: 3 })
    await edit(third, { description: 'Base 3', views: { de: { description: 'Fertig' } } })
    const prompt = await addPrompt(shop, '{{view.label}} {{view.locale}} {{currency}}: {{description}}')
    const request = { view: 'de', write: ['description', 'attributes.a.b'] }
    const dryRun = { ...request, provider: 'sample', model: 'free', dry_run: true }
    const missing = await post(shop, `/prompts/${prompt}/runs`, { ...dryRun, filter: 'missing_in=de' })
    expect(missing.body.products).toBe(1)
    const products = [first, second]
    const preview = await post(shop, `/prompts/${prompt}/runs`, { ...dryRun, products })
    const texts = preview.body.prompts.map(({ text }: { text: string }) => text.replaceAll(/<[^>]*>/g, ''))
    expect(texts).toEqual(['de de-DE EUR: English', 'de de-DE EUR: Base 2'])
    const { id } = await startRun(shop, prompt, { ...request, products, filter: undefined })
    const done = await untilRun(shop, id, ['done'])
    expect(done).toMatchObject({ view: 'de', write: ['description', 'attributes.a.b'], done: 2, products: 2 })
    const lines = await linesOf(shop, done)
    expect(lines.map(({ changes }) => Object.keys(changes).toSorted())).toEqual([
      ['views.de.attributes.a.b', 'views.de.description'],
      ['views.de.attributes.a.b', 'views.de.description'],
    ])
    const before = await viewed(shop, second, '')
    await edit(second, { description: 'Changed' })
    const applied = await post(shop, `/proposals/${done.proposals[0]}/apply`, {})
    expect(applied.body.state).toBe('applied')
    expect((await viewed(shop, first)).view).toMatchObject({
      from: { description: 'de', 'attributes.a.b': 'de' },
      stale: [],
    })
    const changed = await viewed(shop, second)
    expect(changed.view.stale, 'its source changed after the model read it').toEqual(['description'])
    expect(changed.view.from).toMatchObject({ description: 'de' })
    expect(await viewed(shop, second, '')).toMatchObject({ price: before.price, description: 'Changed' })
    const { body: undo } = await post(shop, `/proposals/${done.proposals[0]}/revert`, {})
    await expect.poll(async () => (await shop.call(`/v2/proposals/${undo.id}`)).body.state).toBe('open')
    await post(shop, `/proposals/${undo.id}/apply`, {})
    expect((await viewed(shop, first, 'expand=views')).views).toEqual({ en: { description: 'English' } })
  })

  test('confirms a stale text that the model repeats', { tags: 'slow' }, async () => {
    const { shop, ids } = await shopWithView(1)
    const [product = 0] = ids
    const edit = (body: object) => shop.call(`/v2/products/${product}`, { method: 'PATCH', body })
    const prompt = await addPrompt(shop, 'Translate.')
    const write = async () => {
      const request = { view: 'de', write: ['description'], products: [product], filter: undefined }
      const { id } = await startRun(shop, prompt, request)
      const done = await untilRun(shop, id, ['done'])
      const lines = await linesOf(shop, done)
      if (done.proposals[0] !== undefined) await post(shop, `/proposals/${done.proposals[0]}/apply`, {})
      return lines
    }
    const [{ changes }] = await write()
    const text = changes['views.de.description'].after
    await edit({ description: 'Changed' })
    expect((await viewed(shop, product)).view.stale).toEqual(['description'])
    const [line] = await write()
    expect(line).toMatchObject({
      outcome: 'updated',
      changes: { 'views.de.description': { before: text, after: text } },
    })
    const { version, view } = await viewed(shop, product)
    expect(view.stale).toEqual([])
    const [unchanged] = await write()
    expect(unchanged).toMatchObject({ outcome: 'unchanged', changes: {} })
    expect((await viewed(shop, product)).version).toBe(version)
  })

  test('does not reuse responses of other views, and pauses if its view is deleted', {
    tags: 'slow',
  }, async () => {
    const { shop } = await shopWithView(2)
    const prompt = await addPrompt(shop, 'Translate. name: {{name}}')
    for (const [view, reused] of [
      [undefined, 0],
      ['de', 0],
      ['fr', 0],
      ['fr', 2],
    ]) {
      const { id } = await startRun(shop, prompt, { filter: '', ...(view !== undefined && { view }) })
      expect(await untilRun(shop, id, ['done']), String(view)).toMatchObject({ reused })
    }
    const { id } = await startRun(shop, prompt, { view: 'fr', sample: 1, reuse: false })
    await untilRun(shop, id, ['waiting'])
    expect((await shop.call('/v2/views/fr', { method: 'DELETE' })).status).toBe(204)
    await post(shop, `/runs/${id}/continue`)
    expect(await untilRun(shop, id, ['paused', 'done'])).toMatchObject({ reason: 'view_gone' })
    const unknown = await post(shop, `/prompts/${prompt}/runs`, {
      ...{ filter: '', view: 'fr', write: ['name'], provider: 'sample', model: 'free' },
    })
    expect([unknown.status, unknown.body.errors]).toMatchObject([
      422,
      [{ pointer: '/view', code: 'unknown_view' }],
    ])
  })
})

describe('a run', () => {
  test('waits after its sample, continues, and proposes every response once', { tags: 'slow' }, async () => {
    const { shop, prompt } = await shopWith(7)
    const { id } = await startRun(shop, prompt, { sample: 3 })
    const waiting = await untilRun(shop, id, ['waiting'])
    expect(waiting).toMatchObject({
      done: 3,
      products: 7,
      proposals: [expect.any(Number)],
      reason: null,
    })
    expect((await post(shop, `/runs/${id}/continue`)).body).toMatchObject({ state: 'running' })
    const done = await untilRun(shop, id, ['done'])
    expect(done).toMatchObject({ done: 7, failed: 0, reused: 0, cost: { reserved: 0, currency: 'EUR' } })
    expect(done.proposals).toHaveLength(2)
    const lines = await linesOf(shop, done)
    expect(lines.map(({ sku }) => sku)).toEqual(['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7'])
    expect(lines[0]).toMatchObject({ outcome: 'updated', changes: { description: { before: '' } } })
    const [proposal] = done.proposals
    expect((await shop.call(`/v2/proposals/${proposal}`)).body).toMatchObject({ origin: 'run' })
    expect(await callsOf(shop, id)).toMatchObject([
      { proposal, line: 1, attempts: 1 },
      {},
      {},
      {},
      {},
      {},
      {},
    ])
  })

  test('is in the audit trail and in the metrics', async () => {
    const { shop, prompt } = await shopWith(2)
    const { id } = await startRun(shop, prompt, { sample: 1 })
    await untilRun(shop, id, ['waiting'])
    expect((await service.call('/metrics')).text).toMatch(/^catalog_runs\{state="waiting"\} [1-9]/m)
    await post(shop, `/runs/${id}/raise`, { amount: 300 })
    await post(shop, `/runs/${id}/continue`)
    await untilRun(shop, id, ['done'])
    const entries = await service.database.query(sql`
      select action, details from audit_entries where project_id = ${shop.project} and target = ${`run ${id}`} order by id`)
    const started = { prompt, version_number: '1.0.0', provider: 'sample', model: 'sample', products: 2 }
    expect(entries).toEqual([
      { action: 'run.start', details: { ...started, budget: '100 EUR' } },
      { action: 'run.raise', details: { budget: { before: '100 EUR', after: '300 EUR' } } },
      { action: 'run.continue', details: {} },
    ])
    expect((await service.call('/metrics')).text).toMatch(
      /^catalog_model_calls_total\{result="values"\} [1-9]/m,
    )
  })

  test('emits when it starts, waits and is finished', { tags: 'slow' }, async () => {
    const { shop, prompt } = await shopWith(2)
    const { id } = await startRun(shop, prompt, { sample: 1 })
    await untilRun(shop, id, ['waiting'])
    await post(shop, `/runs/${id}/continue`)
    const done = await untilRun(shop, id, ['done'])
    const { body } = await shop.call('/v2/events?types=run.*')
    expect(body.results).toMatchObject([
      { type: 'run.started', data: { before: null, after: { id, state: 'sampling' } } },
      { type: 'run.waiting', data: { before: { state: 'sampling' }, after: { state: 'waiting', done: 1 } } },
      { type: 'run.finished', data: { before: { state: 'running' }, after: done } },
    ])
  })

  test('spends what the provider reports, to the millionth', async () => {
    const { shop, prompt } = await shopWith(2, { price: 0.7 })
    const before = model.calls.length
    const { id } = await startRun(shop, prompt, {})
    const { cost, tokens } = await untilRun(shop, id, ['done'])
    const reported = model.calls.slice(before).length
    expect(reported).toBe(2)
    const calls: { cost: number; tokens: { input: number; output: number } }[] = await callsOf(shop, id)
    const exact = calls.map(({ tokens: { input, output } }) => Math.ceil(((input + output) * 7) / 10))
    expect(calls.map((call) => Math.round(call.cost * 1e6))).toEqual(exact)
    expect(Math.round(cost.spent * 1e6)).toBe(exact.reduce((sum, one) => sum + one, 0))
    expect(tokens.input).toBe(calls.reduce((sum, call) => sum + call.tokens.input, 0))
  })

  test('is not repeated by a repeated request with the same key', async () => {
    const { shop, prompt } = await shopWith(1)
    const body = { write: ['name'], provider: 'sample', model: 'free', filter: '' }
    const request = { method: 'POST', body, headers: { 'idempotency-key': 'one' } }
    const first = await shop.call(`/v2/prompts/${prompt}/runs`, request)
    const second = await shop.call(`/v2/prompts/${prompt}/runs`, request)
    expect([first.status, second.status, second.body.id]).toEqual([202, 202, first.body.id])
    expect(first.headers.get('location')).toContain(`/v2/runs/${first.body.id}`)
    expect((await shop.call('/v2/runs')).body.count).toBe(1)
  })

  test('reuses the response for the same input, also of another run, and calls the model for a new one', {
    tags: 'slow',
  }, async () => {
    const { shop, prompt, ids } = await shopWith(3)
    await shop.call(`/v2/products/${ids[1]}`, { method: 'PATCH', body: { name: 'Lamp P 1' } })
    const first = await startRun(shop, prompt, {})
    expect(await untilRun(shop, first.id, ['done'])).toMatchObject({ done: 3, reused: 1 })
    const before = model.calls.length
    const again = await startRun(shop, prompt, {})
    expect(await untilRun(shop, again.id, ['done'])).toMatchObject({
      done: 3,
      reused: 3,
      cost: { spent: 0 },
    })
    expect(model.calls.length).toBe(before)
    const fresh = await startRun(shop, prompt, { reuse: false })
    expect(await untilRun(shop, fresh.id, ['done'])).toMatchObject({ reused: 0 })
    expect(model.calls.length).toBe(before + 3)
  })

  test('skips products without a variable, and counts what the model declines', async () => {
    const { shop, ids } = await shopWith(3)
    await shop.call(`/v2/products/${ids[0]}`, { method: 'PATCH', body: { attributes: { color: 'red' } } })
    await shop.call(`/v2/products/${ids[2]}`, { method: 'PATCH', body: { attributes: { color: 'blue' } } })
    const prompt = await addPrompt(shop, 'name: {{name}} in {{attributes.color}}', 'Colors')
    model.script = ({ prompt: text }) => (text.includes('blue') ? 'null' : undefined)
    const { id } = await startRun(shop, prompt, { products: ids, filter: undefined })
    const done = await untilRun(shop, id, ['done'])
    expect(done).toMatchObject({ done: 1, skipped: 1, declined: 1, failed: 0 })
    expect(await callsOf(shop, id, 'skipped')).toMatchObject([
      { product_id: ids[1], attempts: 0, error: 'missing_variable: attributes.color' },
    ])
    expect(await linesOf(shop, done)).toHaveLength(1)
  })
})

describe('a dry run', () => {
  test('shows prompts, missing variables and costs, and makes no call', async () => {
    const { shop, ids } = await shopWith(5)
    await shop.call(`/v2/products/${ids[0]}`, { method: 'PATCH', body: { attributes: { color: 'red' } } })
    const prompt = await addPrompt(shop, '{{name}} {{attributes.color}}{{tone}}', 'Tones')
    const before = model.calls.length
    const body = { write: ['description'], provider: 'sample', model: 'free', filter: '', dry_run: true }
    const { status, body: shown } = await post(shop, `/prompts/${prompt}/runs`, body)
    expect([status, shown]).toMatchObject([
      200,
      {
        products: 5,
        prompts: [],
        missing_variables: [
          { name: 'tone', products: 5 },
          { name: 'attributes.color', products: 4 },
        ],
        cost: { expected: 0, largest: 0, currency: 'EUR' },
      },
    ])
    const priced = {
      ...body,
      model: 'sample',
      variables: { tone: '!' },
      budget: { amount: 1, currency: 'EUR' },
    }
    const { body: preview } = await post(shop, `/prompts/${prompt}/runs`, priced)
    expect(preview.prompts).toHaveLength(1)
    expect(preview.prompts[0].text).toMatch(/^<data-(\w+)>Lamp P 1<\/data-\1> <data-\1>red<\/data-\1>!$/)
    expect(preview.cost.expected).toBeGreaterThan(0)
    expect(preview.cost.largest).toBeGreaterThan(preview.cost.expected)
    expect(model.calls.length).toBe(before)
    expect((await shop.call('/v2/runs')).body.count).toBe(0)
  })
})

describe('invalid requests', () => {
  test('name the error, and start no run', async () => {
    const { shop, prompt, ids } = await shopWith(1)
    const budget = { amount: 1, currency: 'EUR' }
    const base = { write: ['description'], provider: 'sample', model: 'sample', filter: '', budget }
    const errorOf = async (change: object) => {
      const { status, body } = await post(shop, `/prompts/${prompt}/runs`, { ...base, ...change })
      return [status, body.errors?.[0].pointer ?? body.code, body.errors?.[0].code]
    }
    const cases: [object, unknown[]][] = [
      [{ budget: undefined }, [422, '/budget', 'budget_required']],
      [{ budget: { amount: 1, currency: 'USD' } }, [422, '/budget/currency', 'currency_mismatch']],
      [{ budget: { amount: 0.0000001, currency: 'EUR' } }, [422, '/budget/amount', 'too_many_decimals']],
      [{ model: 'other' }, [422, '/model', 'unknown_model']],
      [{ provider: 'other' }, [409, 'no_provider', undefined]],
      [{ write: ['price'] }, [422, '/write/0', 'unknown_field']],
      [{ filter: undefined }, [422, '/filter', 'required']],
      [{ products: ids }, [422, '/products', 'contradiction']],
      [{ filter: undefined, products: [2 ** 40] }, [422, '/products/0', 'unknown_product']],
      [{ filter: 'sku=NONE' }, [422, '/filter', 'too_few']],
      [{ filter: 'page=2' }, [422, '/filter', 'unknown_parameter']],
      [{ label: 'none' }, [422, '/label', 'unknown_label']],
    ]
    for (const [change, expected] of cases)
      expect(await errorOf(change), JSON.stringify(change)).toEqual(expected)
    expect((await shop.call('/v2/runs')).body.count).toBe(0)
  })

  test('a project has at most 20 unfinished runs', async () => {
    const { shop, prompt } = await shopWith(1)
    await service.database.query(sql`
      insert into runs (project_id, prompt_id, version_number, provider, model, state, actor, source, fields, variables, sample, reuse,
                        currency, products)
      select ${shop.project}, ${prompt}, '1.0.0', 'sample', 'free', 'paused', 'a', 'api', '{name}', '{}', 0, true, 'EUR', 1
      from generate_series(1, 20)`)
    const body = { write: ['name'], provider: 'sample', model: 'free', filter: '' }
    expect((await post(shop, `/prompts/${prompt}/runs`, body)).body.code).toBe('too_many_runs')
  })

  test('a token without ai:run, or without prompts:read, gets 403', async () => {
    const { prompt, shop } = await shopWith(1)
    for (const scopes of [['products:write', 'prompts:write'], ['ai:run']] as const) {
      const other = await service.tenant({ scopes: [...scopes] })
      const body = { write: ['name'], provider: 'sample', model: 'free', filter: '' }
      expect((await post(other, `/prompts/${prompt}/runs`, body)).status).toBe(403)
    }
    expect((await shop.call('/v2/runs')).body.count).toBe(0)
  })
})

describe('a run stops', () => {
  test('at its budget before it exceeds it, and continues when the budget is raised', {
    tags: 'slow',
  }, async () => {
    const { shop, prompt } = await shopWith(12)
    const { body: preview } = await post(shop, `/prompts/${prompt}/runs`, {
      ...{ write: ['description'], provider: 'sample', model: 'sample', filter: 'sku=P1', dry_run: true },
      budget: { amount: 1, currency: 'EUR' },
    })
    const amount = Math.round(preview.cost.largest * 2.5 * 1e6) / 1e6
    model.mostInFlight = 0
    const { id } = await startRun(shop, prompt, { budget: { amount, currency: 'EUR' } })
    const stopped = await untilRun(shop, id, ['stopped_at_budget'])
    expect(stopped).toMatchObject({ reason: 'run_budget', cost: { reserved: 0, budget: amount } })
    expect(stopped.cost.spent).toBeLessThanOrEqual(amount)
    expect(stopped.done).toBeGreaterThan(2)
    // Near the end of the budget, each call waits for the one before, which costs less than its worst case.
    expect(model.mostInFlight).toBe(1)
    expect(await linesOf(shop, stopped)).toHaveLength(stopped.done)
    expect((await post(shop, `/runs/${id}/raise`, { amount })).status).toBe(422)
    expect((await post(shop, `/runs/${id}/raise`, { amount: 1 })).body).toMatchObject({ state: 'running' })
    const done = await untilRun(shop, id, ['done'])
    expect(done).toMatchObject({ done: 12, cost: { budget: 1 } })
    expect(await linesOf(shop, done)).toHaveLength(12)
  })

  test('at the budget of the month, which a recreated provider does not reset, and at the cap of an offered one', {
    tags: 'slow',
  }, async () => {
    const { shop, prompt } = await shopWith(12, { monthlyBudget: 0.002 })
    const first = await startRun(shop, prompt, {})
    expect(await untilRun(shop, first.id, ['stopped_at_budget'])).toMatchObject({ reason: 'month_budget' })
    await service.database.query(sql`delete from ai_providers where project_id = ${shop.project}`)
    await connectModel(service, shop, model, { monthlyBudget: 0.002 })
    const second = await startRun(shop, prompt, { reuse: false })
    const stopped = { reason: 'month_budget', done: 0 }
    expect(await untilRun(shop, second.id, ['stopped_at_budget'])).toMatchObject(stopped)
    await service.database.query(sql`
      insert into ai_offers (name, kind, base_url, currency, models, concurrency, plans, project_cap)
      select 'offered', kind, base_url, own.currency, models, 4, array[project.plan], 2000
      from ai_providers as own join projects as project on project.id = own.project_id where own.project_id = ${shop.project}`)
    const ofOffer = await startRun(shop, prompt, { provider: 'offered', reuse: false })
    expect(await untilRun(shop, ofOffer.id, ['stopped_at_budget'])).toMatchObject(stopped)
  })

  test('when its token is revoked, and proposes what it has', async () => {
    const { shop, prompt, ids } = await shopWith(30, { concurrency: 1 })
    const other = await service.tenant()
    model.hold(2)
    const { id } = await startRun(shop, prompt, {})
    await expect.poll(async () => (await callsOf(shop, id, 'done')).length).toBe(2)
    await revokeTokenRow(service.database, shop.tokenId)
    model.release()
    const state = async () =>
      (
        await service.database.query(sql<{
          state: string
          reason: string
          done: number
          proposals: number[]
        }>`
          select state, reason, done, to_json(proposals) as proposals from runs where project_id = ${shop.project} and id = ${id}`)
      )[0]
    await expect
      .poll(state)
      .toMatchObject({ state: 'paused', reason: 'token_revoked', proposals: [expect.any(Number)] })
    expect((await state())?.done).toBeLessThan(ids.length)
    expect((await other.call(`/v2/runs/${id}`)).status).toBe(404)
  })

  test('when its member loses access to the project', { tags: 'slow' }, async () => {
    const { shop, prompt } = await shopWith(30, { concurrency: 1 })
    const member = await consoleUser(service, { projects: [shop.project] })
    model.hold()
    const body = { write: ['description'], provider: 'sample', model: 'free', filter: '', sample: 0 }
    const path = `/console/api/projects/${shop.project}`
    const started = await member.call(`${path}/prompts/${prompt}/runs`, { method: 'POST', body })
    expect([started.status, started.body.actor]).toEqual([202, expect.stringContaining('@')])
    await service.database.query(sql`delete from memberships where project_id = ${shop.project}`)
    model.release()
    const paused = await untilRun(shop, started.body.id, ['paused'])
    expect(paused.reason).toBe('access_lost')
  })

  test('when its provider is removed or disabled', async () => {
    const { shop, prompt } = await shopWith(30, { concurrency: 1 })
    model.hold()
    const { id } = await startRun(shop, prompt, {})
    await service.database.query(
      sql`update ai_providers set state = 'disabled' where project_id = ${shop.project}`,
    )
    model.release()
    expect(await untilRun(shop, id, ['paused'])).toMatchObject({ reason: 'provider_disabled' })
    await service.database.query(sql`delete from ai_providers where project_id = ${shop.project}`)
    await post(shop, `/runs/${id}/continue`)
    await expect
      .poll(async () => (await shop.call(`/v2/runs/${id}`)).body)
      .toMatchObject({ state: 'paused', reason: 'provider_gone' })
  })

  test('when a user pauses or cancels it, after its calls have ended', async () => {
    const { shop, prompt } = await shopWith(40, { concurrency: 2 })
    model.hold()
    const { id } = await startRun(shop, prompt, {})
    await expect.poll(() => model.inFlight).toBe(2)
    expect((await post(shop, `/runs/${id}/pause`)).body.reason).toBe('by_user')
    expect((await shop.call(`/v2/runs/${id}`)).body.state).toBe('running')
    model.release()
    const paused = await untilRun(shop, id, ['paused'])
    expect(paused).toMatchObject({ done: 2, reason: 'by_user', cost: { reserved: 0 } })
    expect(await callsOf(shop, id, 'calling')).toEqual([])
    expect((await post(shop, `/runs/${id}/pause`)).body.code).toBe('run_state')
    model.hold()
    await post(shop, `/runs/${id}/continue`)
    await post(shop, `/runs/${id}/cancel`)
    model.release()
    const cancelled = await untilRun(shop, id, ['cancelled'])
    expect(await linesOf(shop, cancelled)).toHaveLength(cancelled.done)
    expect((await post(shop, `/runs/${id}/continue`)).body.code).toBe('run_state')
  })
})
