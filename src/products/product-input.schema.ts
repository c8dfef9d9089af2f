import { type TSchema, Type } from 'typebox'
import { NameSchema, oneLine } from '../http/request/name.schema.ts'
import { Attributes, OptionalCount, ProductType, Status } from './product.schema.ts'

const closed = { additionalProperties: false }
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
const CategoryId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

const Sku = Type.String({ minLength: 1, maxLength: 64, 'x-normalised': true, ...oneLine })

const CategoryReference = Type.Union(
  [CategoryId, Type.Object({ id: CategoryId }, closed), Type.Object({ name: NameSchema }, closed)],
  { description: 'a category id, {"id": …} or {"name": …}' },
)

const fields = {
  description: Type.String({ maxLength: 100_000 }),
  short_description: Type.String({ maxLength: 5_000 }),
  price: Type.Unsafe<number | null>({
    type: ['number', 'null'],
    minimum: 0,
    maximum: 99_999_999.9999,
    'x-max-decimals': 4,
    description: "Exact decimal in the project's currency, at most 4 decimals",
  }),
  status: Status,
  product_type: ProductType,
  categories: Type.Array(CategoryReference, {
    maxItems: 100,
    description: 'A name that is new makes the category',
  }),
}

export const InventoryInputSchema = Type.Object(
  {
    tracked: Type.Optional(Type.Boolean({ description: 'For a new product true unless said otherwise' })),
    quantity: Type.Optional(Count),
    reserved: Type.Optional(Count),
    low_stock_threshold: Type.Optional(OptionalCount),
    backorders: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type InventoryInput = Type.Static<typeof InventoryInputSchema>

function byDefault<Schema extends TSchema>(schema: Schema, value: Type.Static<Schema>) {
  return Type.Unsafe<Type.Static<Schema>>({ ...schema, default: value })
}

const filled = {
  description: byDefault(fields.description, ''),
  short_description: byDefault(fields.short_description, ''),
  price: byDefault(fields.price, null),
  status: byDefault(fields.status, 'pending'),
  product_type: byDefault(fields.product_type, 'simple'),
  categories: byDefault(fields.categories, []),
  attributes: byDefault(Attributes, {}),
  inventory: Type.Optional(InventoryInputSchema),
}

/** What POST and PUT take: what is left out has its default. */
export const NewProductSchema = Type.Object(
  { sku: Sku, name: NameSchema, ...filled },
  { $id: 'ProductCreate', ...closed, required: ['sku', 'name'] },
)
export type NewProduct = Type.Static<typeof NewProductSchema>

/** PUT by SKU: the address says which, the body may repeat it. */
export const ProductBySkuSchema = Type.Object(
  { sku: Type.Optional(Sku), name: NameSchema, ...filled },
  { $id: 'ProductPut', ...closed, required: ['name'] },
)

/** What PATCH takes, a merge patch: what is left out stays, and null removes an attribute. */
export const ProductPatchSchema = Type.Object(
  {
    sku: Type.Optional(Sku),
    name: Type.Optional(NameSchema),
    description: Type.Optional(fields.description),
    short_description: Type.Optional(fields.short_description),
    price: Type.Optional(fields.price),
    status: Type.Optional(fields.status),
    product_type: Type.Optional(fields.product_type),
    categories: Type.Optional(fields.categories),
    attributes: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean | null>>({
        ...Attributes,
        additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 10_000 },
      }),
    ),
    inventory: Type.Optional(InventoryInputSchema),
  },
  { $id: 'ProductPatch', ...closed },
)
export type ProductPatch = Type.Static<typeof ProductPatchSchema>
