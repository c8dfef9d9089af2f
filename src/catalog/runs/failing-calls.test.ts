import { beforeAll, expect, test } from 'vitest'
import { isLong } from '../../../test/faults/scale.ts'
import type { TestService } from '../../../test/harness.ts'
import {
  addProducts,
  addPrompt,
  connectModel,
  sampleModel,
  startRun,
  startRunService,
  untilRun,
} from '../../../test/run-shop.ts'
import type { Behavior } from '../../../test/sample-model/behaviors.ts'
import type { SampleModel } from '../../../test/sample-model/sample-model.ts'

let model: SampleModel
let service: TestService
/** Waits only a second for a response. Only calls that hang use it, because a busy machine can take as long. */
let impatient: TestService
beforeAll(async () => {
  model = await sampleModel()
  model.script = ({ prompt }) => /does: ([\w-]+)/.exec(prompt)?.[1] as Behavior
  service = await startRunService('failing_calls', model)
  impatient = await startRunService('hanging_calls', model, { milliseconds: 1_000 })
})

type Expected = {
  /** Of the run, after one product. */
  run: object
  call: object
  /** Whether the call costs its worst case. */
  isWorst: boolean
}
const values = { description: expect.any(String) }
const failed = { state: 'done', failed: 1, done: 0, proposals: [] }
const done = { state: 'done', failed: 0, done: 1, proposals: [expect.any(Number)] }
const [free, worst] = [{ isWorst: false }, { isWorst: true }]

/** What becomes of a product if the model always behaves like this. */
const outcomes: Partial<Record<Behavior, Expected>> = {
  values: { run: done, call: { attempts: 1, values, error: null }, ...free },
  '500': { run: failed, call: { attempts: 3, error: 'provider_failed: HTTP 500', values: null }, ...worst },
  hang: { run: failed, call: { attempts: 3, error: 'timed_out' }, ...worst },
  cut: { run: failed, call: { attempts: 3, error: expect.stringMatching(/^provider_failed: /) }, ...worst },
  redirect: {
    run: failed,
    call: { attempts: 1, error: expect.stringMatching(/^provider_rejected: /), cost: 0 },
    ...free,
  },
  huge: { run: failed, call: { attempts: 3, error: expect.stringMatching(/^provider_failed: /) }, ...worst },
  'no-usage': { run: done, call: { attempts: 1, values, tokens: { input: 0, output: 0 } }, ...worst },
  'usage-too-high': { run: done, call: { attempts: 1, values }, ...free },
  prose: { run: failed, call: { attempts: 3, error: 'invalid_response', values: null }, ...free },
  refusal: { run: failed, call: { attempts: 1, error: 'refused', values: null }, ...free },
  'schema-refused': {
    run: failed,
    call: { attempts: 1, error: 'provider_rejected: HTTP 400', cost: 0 },
    ...free,
  },
  null: {
    run: { state: 'done', declined: 1, done: 0, proposals: [] },
    call: { attempts: 1, error: null },
    ...free,
  },
}

async function runWith(behavior: Behavior) {
  const used = behavior === 'hang' ? impatient : service
  const shop = await used.tenant()
  await connectModel(used, shop, model)
  await addProducts(shop, 1)
  const prompt = await addPrompt(shop, `does: ${behavior}. Describe the lamp. name: {{name}}`)
  const request = { write: ['description'], provider: 'sample', model: 'sample', filter: '', dry_run: true }
  const { body: preview } = await shop.call(`/v2/prompts/${prompt}/runs`, {
    method: 'POST',
    body: { ...request, budget: { amount: 1, currency: 'EUR' } },
  })
  const { id } = await startRun(shop, prompt, {})
  const run = await untilRun(shop, id, ['done', 'paused', 'failed'], 100_000)
  const [call] = (await shop.call(`/v2/runs/${id}/calls`)).body.results
  return { run, call, largest: preview.cost.largest as number }
}

/** One behavior per outcome. call-model.test.ts tests what each behavior means for a call. */
const representatives: Behavior[] = ['500', 'hang', 'redirect', 'prose', 'no-usage', 'usage-too-high', 'null']
const tried = isLong ? (Object.keys(outcomes) as Behavior[]) : representatives

test.each(tried)(
  'a model that behaves like %s: the run ends, and costs what was reported or the worst case of each attempt',
  { concurrent: true, tags: 'slow' },
  async (behavior) => {
    const expected = outcomes[behavior] as Expected
    const { run, call, largest } = await runWith(behavior)
    expect({ run, call }).toMatchObject({
      run: { ...expected.run, cost: { reserved: 0 } },
      call: expected.call,
    })
    expect(run.cost.spent).toBeCloseTo(call.cost, 9)
    if (expected.isWorst) expect(call.cost).toBeCloseTo(call.attempts * largest, 6)
    else if (behavior !== 'usage-too-high') expect(call.cost).toBeLessThan(call.attempts * largest)
  },
)
