import { type TSchema, Type } from 'typebox'
import { type ProvenanceInput, ProvenanceInputSchema } from '../provenance/provenance-input.schema.ts'
import { OptionalCount } from './product.schema.ts'
import { type Field, type FieldInputs, type FieldPatches, productFields } from './product-fields.ts'

const closed = { additionalProperties: false }
const Count = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })

const InventoryInputSchema = Type.Object(
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

/** What a body says beside the fields: of the stock, and of who wrote the change, which is no value of the product. */
type BesideFields = { inventory?: InventoryInput; provenance?: ProvenanceInput }
export type NewProduct = FieldInputs & BesideFields
export type ProductPatch = FieldPatches & BesideFields

const fields: [string, Field][] = Object.entries(productFields)
const besideFields = {
  inventory: Type.Optional(InventoryInputSchema),
  provenance: Type.Optional(ProvenanceInputSchema),
}

function byDefault({ input, default: value }: Field): TSchema {
  return value === undefined ? input : Type.Unsafe({ ...input, default: value })
}

function bodyOf(properties: [string, TSchema][], options: object) {
  return Type.Object({ ...Object.fromEntries(properties), ...besideFields }, { ...closed, ...options })
}

const complete = fields.map(([name, field]): [string, TSchema] => [name, byDefault(field)])
const required = fields.filter(([, field]) => field.default === undefined).map(([name]) => name)

/** What POST and PUT take: what is left out has its default. */
export const NewProductSchema = Type.Unsafe<NewProduct>(bodyOf(complete, { $id: 'ProductCreate', required }))

/** PUT by SKU: the address says which, the body may repeat it. */
export const ProductBySkuSchema = Type.Unsafe<Omit<NewProduct, 'sku'> & { sku?: string }>(
  bodyOf(complete, { $id: 'ProductPut', required: required.filter((name) => name !== 'sku') }),
)

/** The properties of a merge patch: what is left out stays, and null removes an attribute. */
const patchProperties: Record<string, TSchema> = {
  ...Object.fromEntries(fields.map(([name, { patch, input }]) => [name, Type.Optional(patch ?? input)])),
  ...besideFields,
}

/** What PATCH takes. */
export const ProductPatchSchema = Type.Unsafe<ProductPatch>(
  Type.Object(patchProperties, { $id: 'ProductPatch', ...closed }),
)

const OwedQuantity = Type.Integer({ minimum: -1_000_000_000_000, maximum: 1_000_000_000_000 })

/** One line of a push: a merge patch of the product that has the SKU, or what a new one is made from. */
export const PushedProductSchema = Type.Object(
  {
    ...patchProperties,
    // What is owed, with backorders, comes in as it went out; without backorders it is refused when the line is applied.
    inventory: Type.Optional(
      Type.Object({ ...InventoryInputSchema.properties, quantity: Type.Optional(OwedQuantity) }, closed),
    ),
  },
  { $id: 'ProductPush', ...closed, required: ['sku'] },
)
export type PushedProduct = ProductPatch & { sku: string }
