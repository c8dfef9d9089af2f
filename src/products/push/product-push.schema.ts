import { Type } from 'typebox'
import { OneOf } from '../../http/openapi.ts'
import { FaultSchema } from '../../http/problem.schema.ts'
import { InventoryInputSchema, type ProductPatch, patchProperties } from '../product-input.schema.ts'

export const pushModes = ['upsert', 'create', 'update'] as const
const outcomes = ['created', 'updated', 'unchanged', 'rejected'] as const
const closed = { additionalProperties: false }

const OwedQuantity = Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 })

/** One line of a push: a merge patch of the product that has the SKU, or what a new one is made from. */
export const PushedProductSchema = Type.Object(
  {
    ...patchProperties,
    // What is owed, with backorders, comes in as it went out; apply-lines.ts refuses it without them.
    inventory: Type.Optional(
      Type.Object({ ...InventoryInputSchema.properties, quantity: Type.Optional(OwedQuantity) }, closed),
    ),
  },
  { $id: 'ProductPush', ...closed, required: ['sku'] },
)
export type PushedProduct = ProductPatch & { sku: string }

export const PushQuerySchema = Type.Object({
  mode: Type.Optional(
    OneOf(pushModes, {
      default: 'upsert',
      description: 'create refuses a SKU that exists, update one that does not',
    }),
  ),
  on_error: Type.Optional(
    OneOf(['continue', 'abort'], {
      default: 'continue',
      description:
        'continue writes every line that is right; abort writes all or, when one is rejected, none (422)',
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({ default: false, description: 'Tells what would happen, and writes nothing' }),
  ),
})

const Count = Type.Integer({ minimum: 0 })

const PushSummarySchema = Type.Object(
  { lines: Count, created: Count, updated: Count, unchanged: Count, rejected: Count },
  closed,
)
export type PushSummary = Type.Static<typeof PushSummarySchema>

const FieldChange = Type.Object({ before: Type.Unknown(), after: Type.Unknown() }, closed)

const VerdictSchema = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'Line of the body, or place in the array, from 1' }),
    sku: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Of the product, where there is one',
    }),
    outcome: OneOf(outcomes),
    errors: Type.Array(FaultSchema, {
      description:
        'Every fault of the line, up to 20; pointers begin at the line. Past 8 MiB of verdicts only where the first fault is, and its code',
    }),
    changes: Type.Optional(
      Type.Record(Type.String(), FieldChange, {
        description:
          'In a dry run: the fields before and after, long texts cut short; left out past 8 MiB of verdicts',
      }),
    ),
  },
  closed,
)
export type Verdict = Type.Static<typeof VerdictSchema>
export type Outcome = Verdict['outcome']

export const PushAnswerSchema = Type.Object(
  { summary: PushSummarySchema, results: Type.Array(VerdictSchema) },
  { $id: 'PushAnswer', ...closed },
)
