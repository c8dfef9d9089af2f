import { Type } from 'typebox'
import { proposalLimits } from '../../model/limits/proposals.ts'
import { EntrySchema } from '../../model/provenance/provenance.schema.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'
import { InputErrorSchema } from '../../platform/http/problem.schema.ts'
import { orderingParameter } from '../../platform/http/query/ordering.ts'
import { plainName } from '../../platform/http/request/name.schema.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'

const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
const OptionalTimestamp = Type.Unsafe<string | null>({ ...Timestamp, type: ['string', 'null'] })
const OptionalInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] })
const Count = Type.Integer({ minimum: 0 })

export const proposalStates = [
  'preparing',
  'open',
  'applying',
  'applied',
  'partly_applied',
  'discarded',
  'expired',
  'failed',
] as const
export const origins = ['api', 'console', 'import', 'filter', 'revert'] as const
export const outcomes = ['created', 'updated', 'unchanged', 'rejected'] as const
export const lineStates = ['open', 'applied', 'rejected', 'conflict', 'discarded'] as const
export type ProposalState = (typeof proposalStates)[number]
export type Origin = (typeof origins)[number]
export type Outcome = (typeof outcomes)[number]
export type LineState = (typeof lineStates)[number]

function Counts<Name extends string>(names: readonly Name[], description: string) {
  const properties = Object.fromEntries(names.map((name) => [name, Count])) as Record<Name, typeof Count>
  return Type.Object(properties, { ...closed, description })
}

const SummarySchema = Type.Object(
  {
    total: Type.Integer({ description: 'Lines' }),
    prepared: Type.Integer({ description: 'Lines that are made already; fewer than total while preparing' }),
    outcomes: Counts(outcomes, 'Lines by what they would do, when they were proposed'),
    states: Counts(lineStates, 'Lines by what has become of them'),
  },
  closed,
)

export const TitleSchema = Type.String({
  minLength: 1,
  maxLength: proposalLimits.titleCharacters,
  ...plainName,
})

export const ProposalSchema = Type.Object(
  {
    id: Type.Integer(),
    title: Type.String(),
    state: OneOf(proposalStates, {
      description: 'Open while a line is; partly_applied: some line that was open was not applied',
    }),
    origin: OneOf(origins, { description: 'Where it comes from' }),
    actor: Type.String({ description: 'Who proposed it: name of the token, or email' }),
    summary: SummarySchema,
    reverts: Type.Unsafe<number | null>({
      ...OptionalInteger,
      description: 'The proposal that it takes back',
    }),
    reverted_by: Type.Unsafe<{ id: number; fully: boolean } | null>({
      type: ['object', 'null'],
      properties: { id: Type.Integer(), fully: Type.Boolean() },
      required: ['id', 'fully'],
      ...closed,
      description:
        'The newest proposal that undid changes of this one, and whether it undid all of them. null if no change is undone, also after the revert itself was reverted.',
    }),
    created_at: Timestamp,
    expires_at: Type.String({ ...Timestamp, description: 'What is open until then expires' }),
    applied_at: Type.Unsafe<string | null>({
      ...OptionalTimestamp,
      description: 'When it was first applied',
    }),
    reason: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Why the service could not prepare the lines; null unless the preparation failed',
    }),
  },
  {
    $id: 'Proposal',
    ...closed,
    examples: [
      {
        id: 1,
        title: 'Autumn prices',
        state: 'open',
        origin: 'api',
        actor: 'API client',
        summary: {
          total: 2,
          prepared: 2,
          outcomes: { created: 0, updated: 2, unchanged: 0, rejected: 0 },
          states: { open: 2, applied: 0, rejected: 0, conflict: 0, discarded: 0 },
        },
        reverts: null,
        reverted_by: null,
        created_at: '2026-01-31T08:15:30.000Z',
        expires_at: '2026-03-02T08:15:30.000Z',
        applied_at: null,
        reason: null,
      },
    ],
  },
)
export type Proposal = Type.Static<typeof ProposalSchema>
export const ProposalPageSchema = PageOf(ProposalSchema, 'ProposalPage')

const FieldChangeSchema = Type.Object({ before: Type.Unknown(), after: Type.Unknown() }, closed)
const ConflictSchema = Type.Object(
  { base: Type.Unknown(), theirs: Type.Unknown(), ours: Type.Unknown() },
  closed,
)

const WrittenSchema = Type.Object({ ...EntrySchema.properties, at: OptionalTimestamp }, closed)

const ProposalLineSchema = Type.Object(
  {
    line: Type.Integer({ minimum: 1 }),
    sku: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    product_id: Type.Unsafe<number | null>({
      ...OptionalInteger,
      description: 'null for a product that is to be made',
    }),
    outcome: Type.Unsafe<Outcome | null>({
      type: ['string', 'null'],
      enum: [...outcomes, null],
      description: 'What the line would do, when it was proposed; null while it is being prepared',
    }),
    changes: Type.Record(Type.String(), FieldChangeSchema, {
      description: 'By field, such as `price` or `attributes.color`: whole values before and after',
    }),
    score: Type.Object({ before: OptionalInteger, after: OptionalInteger }, closed),
    state: OneOf(lineStates),
    errors: Type.Array(InputErrorSchema, {
      description: 'Why the line was rejected, or which fields changed since (`changed_since`)',
    }),
    warnings: Type.Optional(Type.Array(InputErrorSchema, { description: 'As in a push' })),
    conflicts: Type.Optional(
      Type.Record(Type.String(), ConflictSchema, {
        description:
          'Of a conflict: fields that changed since, as they were proposed on, as they are, and as proposed',
      }),
    ),
    version: Type.Unsafe<number | null>({
      ...OptionalInteger,
      description: 'The version of the product that the line made',
    }),
    provenance: Type.Record(Type.String(), WrittenSchema, {
      description: 'The fields that a prompt wrote; without a time and a reviewer until the line is applied',
    }),
  },
  {
    $id: 'ProposalLine',
    ...closed,
    examples: [
      {
        line: 1,
        sku: 'MUG-300-SAND',
        product_id: 1,
        outcome: 'updated',
        changes: { price: { before: 12.9, after: 13.9 } },
        score: { before: 90, after: 90 },
        state: 'open',
        errors: [],
        version: null,
        provenance: {},
      },
    ],
  },
)
export type ProposalLine = Type.Static<typeof ProposalLineSchema>
export const ProposalLinePageSchema = PageOf(ProposalLineSchema, 'ProposalLinePage')

export const ProposalId = Type.Object({ id: Type.Integer({ description: 'Proposal identifier' }) })

/** Products have a `status`, which clients write; either word filters either list. */
const alsoStatus = { 'x-aliases': ['status'] }

export const ProposalQuerySchema = Type.Object({
  state: Type.Optional(OneOf(proposalStates, alsoStatus)),
  origin: Type.Optional(OneOf(origins)),
  ordering: orderingParameter(['id', 'title', 'state', 'created_at', 'expires_at']),
  ...pageParameters,
})

export const ProposalLineQuerySchema = Type.Object({
  outcome: Type.Optional(OneOf(outcomes)),
  state: Type.Optional(OneOf(lineStates, alsoStatus)),
  ...pageParameters,
})

const LineNumbers = Type.Array(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
  minItems: 1,
  maxItems: proposalLimits.selectedLines,
  description:
    'Only these lines; unless said, apply means all that are open, and discard all that are not written',
})

export const ApplySchema = Type.Object(
  {
    lines: Type.Optional(LineNumbers),
    overwrite: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Writes those of the named lines that are in conflict, whatever somebody else has written since',
      }),
    ),
  },
  { $id: 'ProposalApply', ...closed, examples: [{ lines: [1] }] },
)

export const DiscardSchema = Type.Object(
  { lines: Type.Optional(LineNumbers) },
  { $id: 'ProposalDiscard', ...closed, examples: [{ lines: [2] }] },
)
