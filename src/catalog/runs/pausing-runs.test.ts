import { beforeAll, expect, test } from 'vitest'
import type { TestService } from '../../../test/harness.ts'
import {
  createFilledShop,
  resetAfterEach,
  sampleModel,
  startRun,
  startRunService,
  untilRun,
} from '../../../test/run-shop.ts'
import type { SampleModel } from '../../../test/sample-model/sample-model.ts'
import { runLimits } from '../../model/limits/runs.ts'
import { sql } from '../../platform/database/sql.ts'
import { listUnproposed } from './responses.sql.ts'

let service: TestService
let model: SampleModel
beforeAll(async () => {
  model = await sampleModel()
  service = await startRunService('pausing_runs', model)
})
resetAfterEach(() => model)

const shopWith = (count: number, settings?: Parameters<typeof createFilledShop>[2]) =>
  createFilledShop({ service, model }, count, settings)

test('five failures in a row pause the run, and what succeeded before is proposed', {
  tags: 'slow',
}, async () => {
  const { shop, prompt } = await shopWith(20, { concurrency: 1 })
  let calls = 0
  model.script = () => {
    calls += 1
    return calls > 3 ? 'schema-refused' : undefined
  }
  const { id } = await startRun(shop, prompt, {})
  const paused = await untilRun(shop, id, ['paused'])
  model.script = undefined
  expect(paused).toMatchObject({ reason: 'failures_in_row', done: 3, failed: 5, cost: { reserved: 0 } })
  expect(paused.proposals).toHaveLength(1)
  await shop.call(`/v2/runs/${id}/continue`, { method: 'POST' })
  expect(await untilRun(shop, id, ['done'])).toMatchObject({ done: 15, failed: 5 })
})

test('usage above the worst case is charged, and pauses the run', { tags: 'slow' }, async () => {
  const { shop, prompt } = await shopWith(10, { concurrency: 1 })
  model.script = () => 'usage-too-high'
  const { id } = await startRun(shop, prompt, {})
  const paused = await untilRun(shop, id, ['paused'])
  expect(paused).toMatchObject({ reason: 'usage_over_limit', done: 1, cost: { reserved: 0 } })
  const [call] = (await shop.call(`/v2/runs/${id}/calls?state=done`)).body.results
  expect(paused.cost.spent).toBe(call.cost)
  expect(call.tokens.input).toBeGreaterThan(3_000)
})

test('after a 429 all runs of the provider wait and half as many calls run at once; no call is lost or charged', {
  tags: 'slow',
}, async () => {
  const { shop, prompt } = await shopWith(12, { concurrency: 4 })
  let limited = 0
  model.script = () => {
    limited += 1
    return limited <= 2 ? '429' : undefined
  }
  const { id } = await startRun(shop, prompt, {})
  const done = await untilRun(shop, id, ['done'])
  expect(done).toMatchObject({ done: 12, failed: 0 })
  const calls: { attempts: number }[] = (await shop.call(`/v2/runs/${id}/calls`)).body.results
  expect(new Set(calls.map(({ attempts }) => attempts))).toEqual(new Set([1]))
  const [provider] = await service.database.query(sql<{ allowed_concurrency: number }>`
    select allowed_concurrency from ai_providers where project_id = ${shop.project}`)
  expect(provider?.allowed_concurrency).toBe(2)
})

test('two runs share the concurrency and the requests per minute of their provider', {
  tags: 'slow',
}, async () => {
  const { shop, prompt } = await shopWith(15, { concurrency: 2, requestsPerMinute: 12 })
  // The minute lasts as long as the test, so that neither run can end.
  await service.database.query(sql`
    update ai_providers set minute_started_at = clock_timestamp() + interval '1 hour' where project_id = ${shop.project}`)
  model.hold()
  const before = model.calls.length
  model.mostInFlight = 0
  const runs = await Promise.all([
    startRun(shop, prompt, { reuse: false }),
    startRun(shop, prompt, { reuse: false }),
  ])
  await expect.poll(() => model.inFlight).toBe(2)
  model.release()
  await expect.poll(() => model.calls.length - before).toBe(12)
  for (const { id } of runs)
    await expect
      .poll(async () => (await shop.call(`/v2/runs/${id}`)).body)
      .toMatchObject({ state: 'running', reason: 'rate_limited', resumes_at: expect.any(String) })
  expect([model.calls.length - before, model.mostInFlight]).toEqual([12, 2])
  for (const { id } of runs) await shop.call(`/v2/runs/${id}/cancel`, { method: 'POST' })
  for (const { id } of runs) await untilRun(shop, id, ['cancelled'])
})

test('without room for its proposal a run reports why, and tries again', async () => {
  const { shop, prompt } = await shopWith(1)
  await service.database.query(sql`
    insert into proposals (project_id, title, origin, state, actor, expires_at)
    select ${shop.project}, 'Full', 'api', 'open', 'a', now() + interval '1 day' from generate_series(1, 1000)`)
  const { id } = await startRun(shop, prompt, {})
  await expect
    .poll(async () => (await shop.call(`/v2/runs/${id}`)).body)
    .toMatchObject({ state: 'running', reason: 'too_many_proposals', done: 1, proposals: [] })
  await service.database.query(sql`delete from proposals where project_id = ${shop.project}`)
  await service.database.query(
    sql`update jobs set due_at = now() where project_id = ${shop.project} and kind = 'prompt.run'`,
  )
  expect(await untilRun(shop, id, ['done'])).toMatchObject({ reason: null, proposals: [expect.any(Number)] })
})

test('a run that a restore paused proposes its responses when someone cancels it, and makes no call', async () => {
  const { shop, prompt } = await shopWith(2)
  const { id } = await startRun(shop, prompt, {})
  const { cost } = await untilRun(shop, id, ['done'])
  await service.database.transaction(async (tx) => {
    await tx.query(sql`
      update run_calls set proposal_id = null, line = null where project_id = ${shop.project} and run_id = ${id} and place = 1`)
    await tx.query(sql`
      update run_calls set state = 'waiting', proposal_id = null, response = null where project_id = ${shop.project} and run_id = ${id}
        and place = 2`)
    await tx.query(sql`
      update runs set state = 'paused', reason = 'restored', finished_at = null, done = 1, proposals = '{}'
      where project_id = ${shop.project} and id = ${id}`)
  })
  expect((await shop.call(`/v2/runs/${id}/cancel`, { method: 'POST' })).status).toBe(200)
  const cancelled = await untilRun(shop, id, ['cancelled'])
  expect(cancelled).toMatchObject({ done: 1, cost })
  expect(cancelled.proposals).toHaveLength(1)
})

test('a response is reused for 90 days after its call, however often it was reused since', async () => {
  const { shop, prompt } = await shopWith(1)
  const run = async () => untilRun(shop, (await startRun(shop, prompt, {})).id, ['done'])
  const { id: first } = await run()
  expect(await run()).toMatchObject({ reused: 1 })
  await service.database.query(sql`
    update run_calls set finished_at = now() - interval '91 days' where project_id = ${shop.project} and run_id = ${first}`)
  expect(await run()).toMatchObject({ reused: 0, done: 1 })
})

test('a call that waits for its next attempt stores nothing of the product', async () => {
  const { shop, prompt } = await shopWith(1)
  model.script = () => '429'
  const { id } = await startRun(shop, prompt, {})
  const calls = async () => (await shop.call(`/v2/runs/${id}/calls`)).body.results
  await expect.poll(async () => (await calls())[0].error).toBe('rate_limited')
  await expect
    .poll(async () => (await shop.call(`/v2/runs/${id}`)).body)
    .toMatchObject({ state: 'running', reason: 'rate_limited', resumes_at: expect.any(String) })
  await shop.call(`/v2/runs/${id}/cancel`, { method: 'POST' })
  expect(await untilRun(shop, id, ['cancelled'])).toMatchObject({ reason: 'by_user', resumes_at: null })
  const rows = await service.database.query(sql`
    select state, base, input_hash from run_calls where project_id = ${shop.project} and run_id = ${id}`)
  expect(rows).toEqual([{ state: 'waiting', base: null, input_hash: null }])
})

test('two runs at once pay once for the same input', { tags: 'slow' }, async () => {
  const { shop, prompt } = await shopWith(6, { concurrency: 3 })
  model.milliseconds = 30
  const before = model.calls.length
  const runs = await Promise.all([startRun(shop, prompt, {}), startRun(shop, prompt, {})])
  const done = await Promise.all(runs.map(({ id }) => untilRun(shop, id, ['done'])))
  expect(model.calls.length - before).toBe(6)
  expect(done.reduce((sum, { reused }) => sum + reused, 0)).toBe(6)
  expect(done.map((run) => run.done)).toEqual([6, 6])
})

test('a process makes a limited number of calls of a project at once, whatever its providers allow', {
  tags: 'slow',
}, async () => {
  const { shop, prompt } = await shopWith(2 * runLimits.callsPerProject, { concurrency: 64 })
  model.hold()
  model.mostInFlight = 0
  const { id } = await startRun(shop, prompt, {})
  await expect.poll(() => model.inFlight).toBe(runLimits.callsPerProject)
  model.release()
  const done = await untilRun(shop, id, ['done'])
  expect([model.mostInFlight, done.failed]).toEqual([runLimits.callsPerProject, 0])
})

test('a run that is about to stop at its budget continues when the budget is raised', async () => {
  const { shop, prompt } = await shopWith(4, { concurrency: 1 })
  model.hold()
  const { id } = await startRun(shop, prompt, {})
  await expect.poll(() => model.inFlight).toBe(1)
  await service.database.query(sql`
    update runs set stop_state = 'stopped_at_budget', stop_reason = 'run_budget' where project_id = ${shop.project}`)
  expect((await shop.call(`/v2/runs/${id}`)).body).toMatchObject({ state: 'running', reason: 'run_budget' })
  const { body } = await shop.call(`/v2/runs/${id}/raise`, { method: 'POST', body: { amount: 200 } })
  model.release()
  expect(body).toMatchObject({ state: 'running', reason: null })
  expect(await untilRun(shop, id, ['done', 'stopped_at_budget'])).toMatchObject({ state: 'done', done: 4 })
})

test('large responses are read in parts, so that a proposal of many takes little memory', async () => {
  const { shop, prompt } = await shopWith(3)
  const { id } = await startRun(shop, prompt, {})
  await untilRun(shop, id, ['done'])
  await service.database.query(sql`
    update run_calls set proposal_id = null, response = jsonb_build_object('description', repeat(md5(place::text), 65536))
    where project_id = ${shop.project} and run_id = ${id}`)
  const read = async (after: number) =>
    (await listUnproposed(service.database, { projectId: shop.project, id }, after, 100)).map(
      ({ place }) => place,
    )
  expect([await read(0), await read(1), await read(2), await read(3)]).toEqual([[1], [2], [3], []])
})
