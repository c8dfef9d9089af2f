import { Type } from 'typebox'
import { Timestamp } from '../../../model/product/product.schema.ts'
import { VersionNumber } from '../../../model/prompts/version-number.schema.ts'
import { closed } from '../../../platform/http/closed.ts'

const Count = Type.Integer({ minimum: 0 })
const OptionalNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] })

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
    kept_rate: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the written fields that still have the value from that write',
    }),
    first_at: Timestamp,
    last_at: Timestamp,
  },
  closed,
)
export type Outcome = Type.Static<typeof OutcomeSchema>

export const PromptOutcomesSchema = Type.Object(
  {
    count: Count,
    results: Type.Array(OutcomeSchema, {
      description: 'Lowest version first; versions that wrote nothing are left out',
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
          },
        ],
      },
    ],
  },
)
