import { Type } from 'typebox'
import { PageOf, pageParameters } from '../http/pages.ts'

const statuses = ['active', 'inactive', 'pending', 'archived'] as const
const productTypes = ['simple', 'configurable', 'virtual', 'bundle', 'grouped'] as const
export const orderingFields = [
  'id',
  'sku',
  'name',
  'status',
  'product_type',
  'price',
  'created_at',
  'updated_at',
  'quality_score',
] as const

const closed = { additionalProperties: false }
const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
const Status = Type.Enum([...statuses])
const ProductType = Type.Enum([...productTypes])
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
const OptionalCount = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: 1_000_000_000_000,
})

// Control characters would break lines and labels wherever the text is shown.
const oneLine = { pattern: '^[^\\p{Cc}]*$', description: 'one line of text, without control characters' }
const Sku = Type.String({ minLength: 1, maxLength: 64, 'x-normalised': true, ...oneLine })
const Name = Type.String({ minLength: 1, maxLength: 255, 'x-normalised': true, ...oneLine })
const Price = Type.Unsafe<number | null>({
  type: ['number', 'null'],
  minimum: 0,
  maximum: 99_999_999.9999,
  'x-max-decimals': 4,
  description: "Exact decimal in the project's currency, at most 4 decimals",
})
const Attributes = Type.Unsafe<Record<string, string | number | boolean>>({
  type: 'object',
  maxProperties: 200,
  propertyNames: { type: 'string', minLength: 1, maxLength: 100 },
  additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 10_000 },
})

/** Specification 2.2, exactly. */
export const ProductSchema = Type.Object(
  {
    id: Type.Integer(),
    sku: Type.String(),
    name: Type.String(),
    status: Status,
    product_type: ProductType,
    created_at: Timestamp,
    project: Type.Integer(),
  },
  { $id: 'Product', ...closed },
)
export type Product = Type.Static<typeof ProductSchema>

export const ProductPageSchema = PageOf(ProductSchema, 'ProductPage')

const Inventory = Type.Object(
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
  closed,
)
export type Inventory = Type.Static<typeof Inventory>

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

const QualityScore = Type.Object(
  {
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    grade: Type.Enum(['A', 'B', 'C', 'D', 'E']),
    completeness: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Share of the descriptive fields that are filled',
    }),
    computed_at: Timestamp,
    rules: Type.Array(QualityRule),
  },
  closed,
)
export type QualityScore = Type.Static<typeof QualityScore>

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
    inventory: Inventory,
    quality_score: QualityScore,
  },
  { $id: 'ProductDetail', ...closed },
)
export type ProductDetail = Type.Static<typeof ProductDetailSchema>

const CategoryReference = Type.Union(
  [
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    Type.Object({ id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }, closed),
    Type.Object({ name: Name }, closed),
  ],
  { description: 'a category id, {"id": …} or {"name": …}' },
)

/** What POST /products takes. */
export const NewProductSchema = Type.Object(
  {
    sku: Sku,
    name: Name,
    description: Type.String({ maxLength: 100_000, default: '' }),
    short_description: Type.String({ maxLength: 5_000, default: '' }),
    price: Type.Unsafe<number | null>({ ...Price, default: null }),
    status: Type.Enum([...statuses], { default: 'pending' }),
    product_type: Type.Enum([...productTypes], { default: 'simple' }),
    categories: Type.Array(CategoryReference, {
      maxItems: 100,
      default: [],
      description: 'A name that is new makes the category',
    }),
    attributes: Type.Unsafe<Record<string, string | number | boolean>>({ ...Attributes, default: {} }),
    inventory: Type.Optional(
      Type.Object(
        {
          tracked: Type.Boolean({ default: true }),
          quantity: Type.Optional(Count),
          reserved: Type.Optional(Count),
          low_stock_threshold: Type.Optional(OptionalCount),
          backorders: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
  },
  { additionalProperties: false, required: ['sku', 'name'] },
)
export type NewProduct = Type.Static<typeof NewProductSchema>

const Identifier = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** Parameters of GET /products. */
export const ProductQuerySchema = Type.Object({
  project: Type.Optional(Type.Integer({ ...Identifier, 'x-aliases': ['project_id'] })),
  status: Type.Optional(Status),
  product_type: Type.Optional(Type.Enum([...productTypes], { 'x-aliases': ['type'] })),
  category: Type.Optional(Type.Integer({ ...Identifier, 'x-aliases': ['category_id'] })),
  sku: Type.Optional(Type.String({ description: 'The whole SKU' })),
  ordering: Type.Optional(
    Type.String({
      default: 'id',
      description: `Comma list of ${orderingFields.join(', ')}; a leading - means descending, id breaks ties`,
      'x-aliases': ['sort'],
    }),
  ),
  ...pageParameters,
})
export type ProductQuery = Type.Static<typeof ProductQuerySchema>
