import { type TSchema, Type } from 'typebox'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import type { Field } from '../fields/field.ts'
import { type FieldInputs, type FieldPatches, fieldSchemas } from '../fields/field-schemas.ts'
import { type FieldName, fieldEntries } from '../fields/product-fields.ts'
import { productLimits } from '../limits/products.ts'
import { type ProvenanceInput, ProvenanceInputSchema } from '../provenance/provenance-input.schema.ts'
import { ViewsInputSchema } from '../views/view-values.schema.ts'
import type { ViewsPatch } from '../views/view-values.ts'
import { productBody } from './product.examples.ts'
import { InventorySchema, OptionalCount, ProductDetailSchema } from './product.schema.ts'

const Count = Type.Integer({ minimum: 0, maximum: productLimits.stock })

const InventoryInputSchema = Type.Object(
  {
    tracked: Type.Optional(Type.Boolean({ description: 'Default for a new product with `inventory`: true' })),
    quantity: Type.Optional(Count),
    reserved: Type.Optional(Count),
    low_stock_threshold: Type.Optional(OptionalCount),
    backorders: Type.Optional(Type.Boolean()),
  },
  closed,
)
export type InventoryInput = Type.Static<typeof InventoryInputSchema>

/** Parts of a body that are not product fields: the stock, the prompt that wrote the change, and the values in views. */
type InventoryAndProvenance = {
  inventory?: InventoryInput
  provenance?: ProvenanceInput
  views?: ViewsPatch | undefined
}
export type NewProduct = FieldInputs & InventoryAndProvenance
export type ProductPatch = FieldPatches & InventoryAndProvenance

const createExtras = {
  inventory: Type.Optional(InventoryInputSchema),
  provenance: Type.Optional(ProvenanceInputSchema),
  views: Type.Optional(ViewsInputSchema),
}

function byDefault(name: FieldName, { default: value }: Field): TSchema {
  const { input } = fieldSchemas[name]
  return value === undefined ? input : Type.Unsafe({ ...input, default: value })
}

function bodyOf(properties: [string, TSchema][], extras: Record<string, TSchema>, options: object) {
  return Type.Object({ ...Object.fromEntries(properties), ...extras }, { ...closed, ...options })
}

const complete = fieldEntries.map(([name, field]): [string, TSchema] => [name, byDefault(name, field)])
const required = fieldEntries.filter(([, field]) => field.default === undefined).map(([name]) => name)

/** The body of POST. Fields that it leaves out get their default. */
export const NewProductSchema = Type.Unsafe<NewProduct>(
  bodyOf(complete, createExtras, { $id: 'ProductCreate', required, examples: [productBody] }),
)

const OwedQuantity = Type.Integer({ minimum: -productLimits.stock, maximum: productLimits.stock })
/** A negative quantity, as backorders produce it, can be sent back. Without backorders, applying the write rejects it. */
const owedInventory = Type.Object(
  { ...InventoryInputSchema.properties, quantity: Type.Optional(OwedQuantity) },
  closed,
)

/** A write to an existing product can send back the complete stock and provenance from a read. */
const updateExtras = {
  inventory: Type.Optional(updatable(owedInventory, InventorySchema)),
  provenance: Type.Optional(Type.Unsafe({ ...ProvenanceInputSchema, 'x-shown-as-record': true })),
  views: Type.Optional(ViewsInputSchema),
}

/** The body of PUT: as for POST, and the read-only fields from a read. */
export const ProductReplaceSchema = Type.Unsafe<NewProduct>(
  updatable(
    bodyOf(complete, updateExtras, { $id: 'ProductReplace', required, examples: [productBody] }),
    ProductDetailSchema,
  ),
)

/** The body of PUT by SKU. The URL has the SKU; the body can repeat it. */
export const ProductBySkuSchema = Type.Unsafe<Omit<NewProduct, 'sku'> & { sku?: string }>(
  updatable(
    bodyOf(complete, updateExtras, {
      $id: 'ProductPut',
      required: required.filter((name) => name !== 'sku'),
      examples: [{ name: 'Stoneware mug, 0.4 l', price: 14, categories: [{ name: 'Mugs' }] }],
    }),
    ProductDetailSchema,
  ),
)

/** The properties of a merge patch. */
const patchProperties: Record<string, TSchema> = Object.fromEntries(
  Object.entries(fieldSchemas).map(([name, { patch, input }]) => [name, Type.Optional(patch ?? input)]),
)

/** The body of PATCH. */
export const ProductPatchSchema = Type.Unsafe<ProductPatch>(
  updatable(
    Type.Object(
      { ...patchProperties, ...updateExtras },
      {
        $id: 'ProductPatch',
        ...closed,
        examples: [{ price: 11.9, attributes: { color: 'white', dishwasher_safe: null } }],
      },
    ),
    ProductDetailSchema,
  ),
)

/** The patch of an edit to a proposal line. */
export const LinePatchSchema = Type.Unsafe<Omit<ProductPatch, 'provenance'>>(
  Type.Object(
    { ...patchProperties, inventory: Type.Optional(owedInventory), views: Type.Optional(ViewsInputSchema) },
    { ...closed, minProperties: 1 },
  ),
)

/** The writable fields of a push line: a merge patch of the product with the SKU, or the fields of a new product. */
export const WritableLineSchema = Type.Object(
  { ...patchProperties, ...createExtras, inventory: Type.Optional(owedInventory) },
  { ...closed, required: ['sku'] },
)

/** One line of a push. A line for an existing product can send back read-only fields. */
export const PushedProductSchema = updatable(
  Type.Object(
    { ...patchProperties, ...updateExtras },
    {
      $id: 'ProductPush',
      ...closed,
      required: ['sku'],
      examples: [{ sku: 'MUG-300-SAND', price: 12.9, inventory: { quantity: 60 } }],
    },
  ),
  ProductDetailSchema,
)
export type PushedProduct = ProductPatch & { sku: string }
