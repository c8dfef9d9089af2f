import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { OneOf, ref } from '../../platform/http/openapi.ts'
import { type FieldValues, fieldSchemas } from '../fields/field-schemas.ts'
import type { FieldName } from '../fields/product-fields.ts'
import { viewCodePattern } from '../fields/view-paths.ts'
import { productLimits } from '../limits/products.ts'
import { ProvenanceSchema } from '../provenance/provenance.schema.ts'
import { Parent, type Reference, type Variants, VariantsSchema } from '../structure/structure.schema.ts'
import { type ShownView, ShownViewSchema, ViewsSchema } from '../views/view-values.schema.ts'
import { inventoryWith, productDetail } from './product.examples.ts'

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
export const OptionalCount = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  minimum: 0,
  maximum: productLimits.stock,
})

export const InventorySchema = Type.Object(
  {
    tracked: Type.Boolean({ description: 'false: stock is not tracked, and the product is always in stock' }),
    quantity: Type.Integer(),
    reserved: Type.Integer(),
    available: Type.Integer({ description: 'quantity − reserved' }),
    in_stock: Type.Boolean(),
    low_stock_threshold: OptionalCount,
    backorders: Type.Boolean({ description: 'true: can be sold when out of stock' }),
    updated_at: Timestamp,
    computed: Type.Optional(
      Type.Boolean({
        description: 'true if the stock is computed from variants or components; otherwise omitted',
      }),
    ),
    limited_by: Type.Optional(
      Type.Unsafe<Reference | null>({
        ...Parent,
        description:
          'For a bundle: the component that limits the stock, or the first component of the choice that does',
      }),
    ),
  },
  { $id: 'Inventory', ...closed, examples: [inventoryWith(38)] },
)
export type Inventory = Type.Static<typeof InventorySchema>

const QualityRule = Type.Object(
  {
    code: Type.String(),
    field: Type.String(),
    passed: Type.Boolean(),
    points: Type.Integer(),
    max_points: Type.Integer(),
    message: Type.String({ description: 'What is missing and how to fix it' }),
  },
  closed,
)

/** Best first. */
export const grades = ['A', 'B', 'C', 'D', 'E'] as const

const QualityScoreSchema = Type.Object(
  {
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    grade: OneOf(grades),
    completeness: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Percentage of descriptive fields that have a value',
    }),
    computed_at: Timestamp,
    rules: Type.Array(QualityRule),
    ruleset: Type.Integer({
      description: "Version of the project's rules that the score is based on; 0: the default rules",
    }),
  },
  { $id: 'QualityScore', ...closed },
)
export type QualityScore = Type.Static<typeof QualityScoreSchema>

const outputs = Object.fromEntries(
  Object.entries(fieldSchemas).map(([name, { output }]) => [name, output]),
) as { [Name in FieldName]: Type.TUnsafe<FieldValues[Name]> }

const { sku, name, description, short_description, price, status, product_type, ...latter } = outputs
const { categories, attributes, media, parent, variant_axes, components, links, ...added } = latter

/** The fields that describeProduct does not copy by name. */
export const addedFields = Object.keys(added) as FieldName[]

/** Specification 2.3, with inventory, quality score and fields for writers. */
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
    parent,
    variant_axes,
    variants: Type.Optional(
      Type.Unsafe<Variants | null>({
        anyOf: [ref(VariantsSchema), { type: 'null' }],
        description: 'null unless the product is configurable; omitted with `as_of`',
      }),
    ),
    components,
    links,
    ...added,
    inventory: Type.Optional(
      Type.Unsafe<Inventory>({ ...ref(InventorySchema), description: 'Omitted with `as_of`' }),
    ),
    quality_score: ref(QualityScoreSchema),
    provenance: ref(ProvenanceSchema),
    proposal: Type.Optional(
      Type.Unsafe<number | null>({
        type: ['integer', 'null'],
        description: 'With `as_of`: the proposal that created that version',
      }),
    ),
    views: Type.Optional(ViewsSchema),
    view: Type.Optional(
      Type.Unsafe<ShownView>({
        ...ref(ShownViewSchema),
        description: 'With `view`: the origin of the values, and which are missing or stale',
      }),
    ),
    inherited: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With `resolve=parent`: fields whose value comes from the parent, such as `description` or `attributes.material`',
      }),
    ),
  },
  { $id: 'ProductDetail', ...closed, examples: [productDetail] },
)
export type ProductDetail = Type.Static<typeof ProductDetailSchema>

/** Selects the view whose values a read returns. */
export const viewParameter = (description: string) =>
  Type.Optional(Type.String({ pattern: viewCodePattern, description: `A view code. ${description}` }))

/** A query parameter of all product writes. */
export const referencesParameter = {
  references: Type.Optional(
    OneOf(['strict'], {
      description:
        'strict: reject a reference to a SKU that does not exist. By default, the reference waits until a product has the SKU',
    }),
  ),
}

/** Query parameters of reads of one product. */
export const resolveParameter = {
  view: viewParameter('The response contains the values of this view, and `view` contains their origin'),
  expand: Type.Optional(OneOf(['views'], { description: '`views` adds the stored values of each view' })),
  resolve: Type.Optional(
    OneOf(['parent'], {
      description: 'parent: fill the empty fields of a variant from its parent, and list them in `inherited`',
    }),
  ),
}
