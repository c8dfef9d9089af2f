import { Type } from 'typebox'
import { OneOf, ref } from '../http/openapi.ts'
import { type FieldName, productFields } from './product-fields.ts'

const closed = { additionalProperties: false }
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
export const OptionalCount = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 1_000_000_000_000,
})

export const InventorySchema = Type.Object(
  {
    tracked: Type.Boolean({ description: 'false: always in stock' }),
    quantity: Type.Integer(),
    reserved: Type.Integer(),
    available: Type.Integer({ description: 'quantity − reserved' }),
    in_stock: Type.Boolean(),
    low_stock_threshold: OptionalCount,
    backorders: Type.Boolean({ description: 'true: may be sold beyond the stock' }),
    updated_at: Timestamp,
  },
  { $id: 'Inventory', ...closed },
)
export type Inventory = Type.Static<typeof InventorySchema>

const QualityRule = Type.Object(
  {
    code: Type.String(),
    field: Type.String(),
    passed: Type.Boolean(),
    points: Type.Integer(),
    max_points: Type.Integer(),
    message: Type.String({ description: 'What is missing and how to mend it' }),
  },
  closed,
)

export const QualityScoreSchema = Type.Object(
  {
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    grade: OneOf(['A', 'B', 'C', 'D', 'E']),
    completeness: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Share of the descriptive fields that are filled',
    }),
    computed_at: Timestamp,
    rules: Type.Array(QualityRule),
    ruleset: Type.Integer({
      description: "The version of the project's rules that made the score; 0: the service's own",
    }),
  },
  { $id: 'QualityScore', ...closed },
)
export type QualityScore = Type.Static<typeof QualityScoreSchema>

const outputs = Object.fromEntries(
  Object.entries(productFields).map(([name, { output }]) => [name, output]),
) as { [Name in FieldName]: (typeof productFields)[Name]['output'] }

const { sku, name, description, short_description, price, status, product_type, ...latter } = outputs
const { categories, attributes, media, ...added } = latter

/** The fields that a description of a row does not name one by one. */
export const addedFields = Object.keys(added) as FieldName[]

/** Specification 2.3, with inventory, quality score and what a writer needs to know. */
export const ProductDetailSchema = Type.Object(
  {
    id: Type.Integer(),
    sku,
    name,
    description,
    short_description,
    price,
    currency: Type.String({ description: 'ISO 4217' }),
    status,
    product_type,
    created_at: Timestamp,
    updated_at: Timestamp,
    project: Type.Integer(),
    version: Type.Integer(),
    categories,
    attributes,
    media,
    ...added,
    inventory: Type.Optional(
      Type.Unsafe<Inventory>({ ...ref(InventorySchema), description: 'Left out with as_of' }),
    ),
    quality_score: ref(QualityScoreSchema),
  },
  { $id: 'ProductDetail', ...closed },
)
export type ProductDetail = Type.Static<typeof ProductDetailSchema>
