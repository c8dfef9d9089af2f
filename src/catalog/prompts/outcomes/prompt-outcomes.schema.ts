import { Type } from 'typebox'
import { Timestamp } from '../../../model/product/product.schema.ts'
import { VersionNumber } from '../../../model/prompts/version-number.schema.ts'
import { closed } from '../../../platform/http/closed.ts'

const Count = Type.Integer({ minimum: 0 })
const OptionalNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] })

const OptionalTimestamp = Type.Unsafe<string | null>({ ...Timestamp, type: ['string', 'null'] })

const ModelOutcomeSchema = Type.Object(
  {
    model: Type.String(),
    currency: Type.String({ description: 'Currency of the cost' }),
    lines: Type.Integer({ ...Count, description: 'Proposal lines that the model wrote' }),
    accepted: Type.Integer({ ...Count, description: 'Lines that were applied as the model wrote them' }),
    edited: Type.Integer({ ...Count, description: 'Lines that were applied after someone edited them' }),
    rejected: Type.Integer({ ...Count, description: 'Lines that were invalid or discarded' }),
    cost: Type.Number({ minimum: 0, description: 'Cost of the calls' }),
    cost_per_accepted_field: Type.Unsafe<number | null>({
      ...OptionalNumber,
      description:
        'Cost divided by the number of fields that were applied as the model wrote them; null if there are none',
    }),
  },
  closed,
)
export type ModelOutcome = Type.Static<typeof ModelOutcomeSchema>

const OutcomeSchema = Type.Object(
  {
    version_number: VersionNumber,
    products: Type.Integer({ ...Count, description: 'Products that the version wrote to' }),
    writes: Type.Integer({
      ...Count,
      description: 'Product versions in which it wrote at least one field',
    }),
    score_change: Type.Object(
      { mean: OptionalNumber, median: OptionalNumber },
      {
        ...closed,
        description:
          'Change in quality score per write, in points. Writes that create a product do not count, because they have no earlier score; null if there are no other writes',
      },
    ),
    kept_rate: Type.Unsafe<number | null>({
      ...OptionalNumber,
      minimum: 0,
      maximum: 1,
      description:
        'Share of the written fields that still have the value from that write; null if there are no writes',
    }),
    first_at: Type.Unsafe<string | null>({
      ...OptionalTimestamp,
      description: 'First write; null if there are no writes',
    }),
    last_at: Type.Unsafe<string | null>({
      ...OptionalTimestamp,
      description: 'Last write; null if there are no writes',
    }),
    models: Type.Array(ModelOutcomeSchema, {
      description: 'Results and cost of the proposal lines that runs created, by model and currency',
    }),
  },
  closed,
)
export type Outcome = Type.Static<typeof OutcomeSchema>

export const PromptOutcomesSchema = Type.Object(
  {
    count: Count,
    results: Type.Array(OutcomeSchema, {
      description: 'Lowest version first; versions that wrote nothing and had no run are left out',
    }),
  },
  {
    $id: 'PromptOutcomes',
    ...closed,
    examples: [
      {
        count: 1,
        results: [
          {
            version_number: '1.1.0',
            products: 1,
            writes: 1,
            score_change: { mean: 1, median: 1 },
            kept_rate: 1,
            first_at: '2026-01-31T08:15:30.000Z',
            last_at: '2026-01-31T08:15:30.000Z',
            models: [],
          },
        ],
      },
    ],
  },
)
