import { Type } from 'typebox'
import { OneOf, ref } from '../http/openapi.ts'

export const statuses = ['active', 'inactive', 'pending', 'archived'] as const
export const productTypes = ['simple', 'configurable', 'virtual', 'bundle', 'grouped'] as const
const closed = { additionalProperties: false }
export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
export const Status = OneOf(statuses)
export type Status = Type.Static<typeof Status>
export const ProductType = OneOf(productTypes)
export type ProductType = Type.Static<typeof ProductType>
export const OptionalCount = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 1_000_000_000_000,
})

export const Attributes = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  maxProperties: 200,
  propertyNames: { type: 'string', minLength: 1, maxLength: 100 },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 10_000 },
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
  },
  { $id: 'QualityScore', ...closed },
)
export type QualityScore = Type.Static<typeof QualityScoreSchema>

/** Specification 2.3, with inventory, quality score and what a writer needs to know. */
export const ProductDetailSchema = Type.Object(
  {
    id: Type.Integer(),
    sku: Type.String(),
    name: Type.String(),
    description: Type.String(),
    short_description: Type.String(),
    price: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    currency: Type.String({ description: 'ISO 4217' }),
    status: Status,
    product_type: ProductType,
    created_at: Timestamp,
    updated_at: Timestamp,
    project: Type.Integer(),
    version: Type.Integer(),
    categories: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() }, closed)),
    attributes: Type.Unsafe<Record<string, string | number | boolean>>({
      type: 'object',
      additionalProperties: { type: ['string', 'number', 'boolean'] },
    }),
    inventory: Type.Optional(
      Type.Unsafe<Inventory>({ ...ref(InventorySchema), description: 'Left out with as_of' }),
    ),
    quality_score: ref(QualityScoreSchema),
  },
  { $id: 'ProductDetail', ...closed },
)
export type ProductDetail = Type.Static<typeof ProductDetailSchema>
