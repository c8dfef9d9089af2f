import { Type } from 'typebox'
import { runLimits } from '../../model/limits/runs.ts'
import { Timestamp } from '../../model/product/product.schema.ts'
import { VersionNumber } from '../../model/prompts/version-number.schema.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { lineFlags } from '../proposals/proposal.schema.ts'
import { type RunReason, runReasons, runStates } from './run-states.ts'

const Count = (description: string) => Type.Integer({ minimum: 0, description })
const OptionalInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description })
const OptionalTimestamp = Type.Unsafe<string | null>({ ...Timestamp, type: ['string', 'null'] })
export const Amount = Type.Number({
  minimum: 0,
  description: 'In units of the currency, with at most 6 decimals',
})
const TokensSchema = Type.Object({ input: Type.Integer(), output: Type.Integer() }, closed)

const example = {
  id: 1,
  state: 'waiting',
  reason: null,
  resumes_at: null,
  prompt: 2,
  version_number: '1.1.0',
  provider: 'house',
  model: 'llama-3.3',
  proposals: [7],
  products: 250,
  done: 19,
  failed: 0,
  declined: 1,
  skipped: 0,
  reused: 0,
  tokens: { input: 5210, output: 1830 },
  cost: { budget: 5, reserved: 0, spent: 0.104, currency: 'EUR' },
  write: ['description'],
  view: null,
  sample: 20,
  created_at: '2026-01-31T08:15:30.000Z',
  actor: 'API client',
}

export const RunSchema = Type.Object(
  {
    id: Type.Integer(),
    state: OneOf(runStates, {
      description:
        '`waiting`: the sample is ready for review. `stopped_at_budget`: raise the budget to continue. `done`, `cancelled` and `failed` are final.',
    }),
    reason: Type.Unsafe<RunReason | null>({
      type: ['string', 'null'],
      enum: [...runReasons, null],
      description: 'Why the run stopped or is about to stop, or what it waits for',
    }),
    resumes_at: Type.Unsafe<string | null>({
      ...Timestamp,
      type: ['string', 'null'],
      description: 'When a run that waits for its provider makes its next call; null if it does not wait',
    }),
    prompt: Type.Integer({ description: 'Prompt identifier' }),
    version_number: VersionNumber,
    provider: Type.String(),
    model: Type.String(),
    proposals: Type.Array(Type.Integer(), {
      description: 'Proposals that contain the responses, oldest first',
    }),
    products: Count('Products in the run'),
    done: Count('Products with a response'),
    failed: Count('Products without a valid response after all attempts'),
    declined: Count('Products for which the model returned only `null`'),
    skipped: Count(
      'Skipped products: a variable is missing, the prompt is too long, or the product no longer exists',
    ),
    reused: Count('Products whose response comes from an earlier call with the same input'),
    tokens: TokensSchema,
    cost: Type.Object(
      {
        budget: Type.Unsafe<number | null>({ ...Amount, type: ['number', 'null'] }),
        reserved: Type.Number({ ...Amount, description: 'Most that the calls in progress can cost' }),
        spent: Amount,
        currency: Type.String(),
      },
      closed,
    ),
    write: Type.Array(Type.String(), { description: 'Fields that the run writes' }),
    view: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Code of the view whose fields the run writes; null: the base',
    }),
    sample: Type.Integer({ description: 'Products in the sample; 0: none' }),
    created_at: Timestamp,
    actor: Type.String({
      description: 'Name of the token, or email address of the user, that started the run',
    }),
  },
  { $id: 'Run', ...closed, examples: [example] },
)
export type Run = Type.Static<typeof RunSchema>
export const RunPageSchema = PageOf(RunSchema, 'RunPage')
export const RunId = Type.Object({ id: Type.Integer({ description: 'Run identifier' }) })

export const RunQuerySchema = Type.Object({
  state: Type.Optional(OneOf(runStates, { 'x-aliases': ['status'] })),
  ...pageParameters,
})

export const callStates = ['waiting', 'calling', 'done', 'failed', 'declined', 'skipped'] as const
export type CallState = (typeof callStates)[number]

const RunCallSchema = Type.Object(
  {
    product_id: Type.Integer(),
    state: OneOf(callStates),
    error: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why the call failed or the product was skipped',
    }),
    attempts: Type.Integer({ minimum: 0 }),
    reused: Type.Boolean(),
    tokens: TokensSchema,
    cost: Amount,
    values: Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
      description: `What the model wrote, by field; null without a response, and ${runLimits.responseDays} days later`,
    }),
    flags: Type.Array(OneOf(lineFlags)),
    proposal: OptionalInteger('Proposal that contains the response'),
    line: OptionalInteger('Line of this proposal'),
    started_at: OptionalTimestamp,
    finished_at: OptionalTimestamp,
  },
  {
    $id: 'RunCall',
    ...closed,
    examples: [
      {
        product_id: 1,
        state: 'done',
        error: null,
        attempts: 1,
        reused: false,
        tokens: { input: 261, output: 92 },
        cost: 0.0052,
        values: { description: 'A stoneware mug for 0.3 l.' },
        flags: [],
        proposal: 7,
        line: 1,
        started_at: '2026-01-31T08:15:31.000Z',
        finished_at: '2026-01-31T08:15:33.000Z',
      },
    ],
  },
)
export type RunCall = Type.Static<typeof RunCallSchema>
export const RunCallPageSchema = PageOf(RunCallSchema, 'RunCallPage')
export const RunCallQuerySchema = Type.Object({
  state: Type.Optional(OneOf(callStates, { 'x-aliases': ['status'] })),
  ...pageParameters,
})

export const RaiseSchema = Type.Object(
  {
    amount: Type.Number({
      exclusiveMinimum: 0,
      maximum: runLimits.budget,
      description: 'The new budget in total, with at most 6 decimals',
    }),
  },
  { $id: 'RunRaise', ...closed, examples: [{ amount: 10 }] },
)
