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
export const origins = ['api', 'console', 'import', 'filter', 'revert', 'run'] as const
export const outcomes = ['created', 'updated', 'unchanged', 'rejected'] as const
export const lineStates = ['open', 'applied', 'rejected', 'conflict', 'discarded'] as const
/** What to look at first in a line that a model wrote. */
export const lineFlags = [
  'number_not_in_source',
  'same_text',
  'new_link',
  'new_markup',
  'source_copied',
  'cut',
  'refused',
] as const
export type LineFlag = (typeof lineFlags)[number]
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
    prepared: Type.Integer({
      description: 'Lines that are prepared; fewer than `total` while the state is `preparing`',
    }),
    outcomes: Counts(outcomes, 'Lines by their expected outcome at the time of the proposal'),
    states: Counts(lineStates, 'Lines by state'),
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
      description: '`open` while a line is open. `partly_applied` if some lines were not applied.',
    }),
    origin: OneOf(origins, { description: 'What created the proposal' }),
    actor: Type.String({
      description: 'Name of the token, or email address of the user, that created the proposal',
    }),
    revision: Type.Integer({ minimum: 1, description: 'Increases each time that a line is edited' }),
    summary: SummarySchema,
    reverts: Type.Unsafe<number | null>({
      ...OptionalInteger,
      description: 'The proposal that this one reverts',
    }),
    reverted_by: Type.Unsafe<{ id: number; fully: boolean } | null>({
      type: ['object', 'null'],
      properties: { id: Type.Integer(), fully: Type.Boolean() },
      required: ['id', 'fully'],
      ...closed,
      description:
        'The newest proposal that reverted changes of this one, and whether it reverted all of them. null if no change is reverted, or if the revert itself was reverted.',
    }),
    run: Type.Unsafe<number | null>({ ...OptionalInteger, description: 'The run that created the proposal' }),
    created_at: Timestamp,
    expires_at: Type.String({ ...Timestamp, description: 'When a proposal that is still open expires' }),
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
        revision: 1,
        summary: {
          total: 2,
          prepared: 2,
          outcomes: { created: 0, updated: 2, unchanged: 0, rejected: 0 },
          states: { open: 2, applied: 0, rejected: 0, conflict: 0, discarded: 0 },
        },
        reverts: null,
        reverted_by: null,
        run: null,
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

const LineEntrySchema = Type.Object({ ...EntrySchema.properties, at: OptionalTimestamp }, closed)

export const ProposalLineSchema = Type.Object(
  {
    line: Type.Integer({ minimum: 1 }),
    sku: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    product_id: Type.Unsafe<number | null>({
      ...OptionalInteger,
      description: 'null if the product does not exist yet',
    }),
    outcome: Type.Unsafe<Outcome | null>({
      type: ['string', 'null'],
      enum: [...outcomes, null],
      description: 'Expected outcome at the time of the proposal; null while the line is prepared',
    }),
    changes: Type.Record(Type.String(), FieldChangeSchema, {
      description: 'Complete values before and after, by field, such as `price` or `attributes.color`',
    }),
    score: Type.Object({ before: OptionalInteger, after: OptionalInteger }, closed),
    state: OneOf(lineStates),
    errors: Type.Array(InputErrorSchema, {
      description: 'Why the line was rejected, or the fields that have changed since (`changed_since`)',
    }),
    warnings: Type.Optional(Type.Array(InputErrorSchema, { description: 'As in a push' })),
    conflicts: Type.Optional(
      Type.Record(Type.String(), ConflictSchema, {
        description:
          'In a conflict: fields that have changed since, with the value at the time of the proposal (`base`), the current value (`theirs`) and the proposed value (`ours`)',
      }),
    ),
    flags: Type.Optional(
      Type.Array(OneOf(lineFlags), {
        description:
          'In the lines of a run: what to check before you apply the line. An edit does not change the flags, because they describe the original text.',
      }),
    ),
    original: Type.Optional(
      Type.Record(Type.String(), FieldChangeSchema, {
        description: 'In an edited line: the changes as they were proposed',
      }),
    ),
    version: Type.Unsafe<number | null>({
      ...OptionalInteger,
      description: 'The product version that the line created',
    }),
    provenance: Type.Record(Type.String(), LineEntrySchema, {
      description:
        'The fields that a prompt wrote. They have no time and reviewer until the line is applied.',
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

/** Products have a `status`. Both lists accept both names as a filter. */
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
  flag: Type.Optional(OneOf(lineFlags, { description: 'Only lines of a run with this flag' })),
  ordering: Type.Optional(
    OneOf(['line', 'flagged'], { default: 'line', description: '`flagged` lists lines with flags first' }),
  ),
  ...pageParameters,
})

export const RevisionRange = { minimum: 1, maximum: 2_147_483_647 } as const
