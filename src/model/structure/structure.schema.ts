import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { oneLine, StoredNameSchema } from '../../platform/http/request/name.schema.ts'
import { productLimits, structureLimits } from '../limits/products.ts'
import { type LinkKind, linkKinds } from './link-kinds.ts'

/* Relations between products, in bodies and in responses. */

/** Another product in a response. The ID is null if no product has the SKU yet. */
export type Reference = { id: number | null; sku: string }
/** Another product in a body. The ID takes precedence. */
export type ReferenceInput = { id?: number | null; sku?: string }

/** References are compared by ID, because the SKU of a product can change. */
export function referenceKey({ id, sku }: Reference): number | string {
  return id ?? sku
}

const named = {
  id: Type.Optional(
    Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Takes precedence over the SKU',
    }),
  ),
  sku: Type.Optional(
    Type.String({ minLength: 1, maxLength: productLimits.skuCharacters, 'x-normalised': true, ...oneLine }),
  ),
}
const shown = {
  id: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'null: no product has this SKU yet',
  }),
  sku: Type.String(),
}
const Reference = Type.Object(shown, closed)

export const ParentInput = Type.Unsafe<ReferenceInput | null>({
  type: ['object', 'null'],
  properties: named,
  ...closed,
  description: 'The configurable product that this product is a variant of, by ID or SKU',
})
export const Parent = Type.Unsafe<Reference | null>({
  ...Reference,
  type: ['object', 'null'],
  description: 'The configurable product that this product is a variant of',
})

const AxisName = Type.String({ minLength: 1, maxLength: productLimits.attributeNameCharacters })
export const VariantAxesInput = Type.Array(AxisName, {
  maxItems: structureLimits.axes,
  uniqueItems: true,
  description: 'For a configurable product: the attributes that distinguish its variants',
})
export const VariantAxes = Type.Array(Type.String(), {
  description: 'Attributes that distinguish the variants',
})

/** A component of a bundle or group. The customer selects one of the components with the same choice. */
export type Component = Reference & { quantity: number; choice?: string; default?: boolean }
export type ComponentInput = ReferenceInput & Omit<Component, keyof Reference>

const Quantity = { minimum: 1, maximum: structureLimits.componentQuantity }
const Choice = {
  description: 'one line of text; the customer selects one of the components with the same choice',
}
const Default = { description: 'true: the component of the choice that is selected by default' }

export const ComponentsInput = Type.Unsafe<ComponentInput[]>(
  Type.Array(
    Type.Object(
      {
        ...named,
        quantity: Type.Optional(Type.Integer({ ...Quantity, default: 1 })),
        choice: Type.Optional(Type.String({ ...StoredNameSchema, ...Choice })),
        default: Type.Optional(Type.Boolean(Default)),
      },
      closed,
    ),
    {
      maxItems: structureLimits.components,
      description: 'Components of a bundle or group, in order; replaced as a whole',
    },
  ),
)
export const Components = Type.Unsafe<Component[]>(
  Type.Array(
    Type.Object(
      {
        ...shown,
        quantity: Type.Integer(),
        choice: Type.Optional(Type.String(Choice)),
        default: Type.Optional(Type.Boolean(Default)),
      },
      closed,
    ),
    { description: 'Components of a bundle or group' },
  ),
)

export type Links = { [Kind in LinkKind]?: Reference[] }
export type LinksInput = { [Kind in LinkKind]?: ReferenceInput[] }
export type LinksPatch = { [Kind in LinkKind]?: ReferenceInput[] | null }

const LinkList = Type.Array(Type.Object(named, closed), { maxItems: structureLimits.links })
const ofEachKind = <Value>(value: Value) => Object.fromEntries(linkKinds.map((kind) => [kind, value]))
const LinksDescription = { description: 'Links to other products, by ID or SKU' }

export const LinksInput = Type.Unsafe<LinksInput>(
  Type.Object(ofEachKind(Type.Optional(LinkList)), { ...closed, ...LinksDescription }),
)
export const LinksPatch = Type.Unsafe<LinksPatch>(
  Type.Object(ofEachKind(Type.Optional(Type.Unsafe({ ...LinkList, type: ['array', 'null'] }))), {
    ...closed,
    description: `${LinksDescription.description}; a kind that you leave out does not change, and null removes it`,
  }),
)
export const Links = Type.Unsafe<Links>(
  Type.Object(ofEachKind(Type.Optional(Type.Array(Reference))), {
    ...closed,
    description: 'Links to other products; kinds without links are omitted',
  }),
)

/** The fields of a product that describe its structure. */
export type Structured = {
  product_type: string
  attributes: object
  parent: Reference | null
  variant_axes: string[]
  components: Component[]
  links: Links
}

const OptionalPrice = Type.Unsafe<number | null>({ type: ['number', 'null'] })

/** The variants of a configurable product, without archived ones. */
export const VariantsSchema = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    in_stock: Type.Integer({ minimum: 0, description: 'Number of variants in stock' }),
    axes: Type.Unsafe<Record<string, (string | number | boolean)[]>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: ['string', 'number', 'boolean'] } },
      description: 'Values of each axis among the variants',
    }),
    price: Type.Object(
      { min: OptionalPrice, max: OptionalPrice },
      { ...closed, description: 'Price range of the variants, in the view if the request names one' },
    ),
  },
  { $id: 'Variants', ...closed, description: 'Summary of the variants, without archived ones' },
)
export type Variants = Type.Static<typeof VariantsSchema>

/** The resolved references of a write. Fields that the write leaves out are undefined. */
export type ResolvedStructure = {
  parent?: Reference | null
  components?: Component[]
  links?: { [Kind in LinkKind]?: Reference[] | null }
}
