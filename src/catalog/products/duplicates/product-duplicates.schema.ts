import { Type } from 'typebox'
import { StatusSchema } from '../../../model/fields/field-schemas.ts'
import { Media, type MediaItem } from '../../../model/fields/media.schema.ts'
import { Timestamp } from '../../../model/product/product.schema.ts'
import { closed } from '../../../platform/http/closed.ts'
import { OneOf } from '../../../platform/http/openapi.ts'
import { EnvelopeOf, pageParameters } from '../../../platform/http/response/page-envelope.ts'
import { duplicateLimits } from '../../limits.ts'

/** The strongest reason first. */
export const duplicateReasons = ['same_gtin', 'same_name', 'close_name'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

const Reason = OneOf(duplicateReasons, {
  description:
    'Why the products are likely duplicates. `same_gtin`: they have the same GTIN. `same_name`: they have the same name. `close_name`: their names have the same words in another order or spelling',
})

export const DuplicateQuerySchema = Type.Object({
  reason: Type.Optional(Reason),
  ...pageParameters,
})

const DuplicateProductSchema = Type.Object(
  {
    id: Type.Integer(),
    sku: Type.String(),
    name: Type.String(),
    status: StatusSchema,
    price: Type.Unsafe<number | null>({ type: ['number', 'null'] }),
    currency: Type.String(),
    version: Type.Integer(),
    updated_at: Timestamp,
    media: Type.Unsafe<MediaItem[]>({ ...Media, description: 'The first image; empty without an image' }),
  },
  closed,
)
export type DuplicateProduct = Type.Static<typeof DuplicateProductSchema>

const DuplicateGroupSchema = Type.Object(
  {
    reason: Reason,
    value: Type.String({
      description: 'The GTIN with 14 digits, or the name; for `close_name`, the name of the first product',
    }),
    count: Type.Integer({ description: 'Number of products in the group' }),
    products: Type.Array(DuplicateProductSchema, {
      description: `The products by ID, at most ${duplicateLimits.groupProducts}`,
    }),
  },
  closed,
)
export type DuplicateGroup = Type.Static<typeof DuplicateGroupSchema>

const exampleProduct: DuplicateProduct = {
  id: 1,
  sku: 'MUG-300-SAND',
  name: 'Stoneware mug, 0.3 l',
  status: 'active',
  price: 12.5,
  currency: 'EUR',
  version: 1,
  updated_at: '2026-01-31T08:15:30.000Z',
  media: [
    {
      url: 'https://images.example/mug-300-sand.jpg',
      kind: 'image',
      alt: 'A sand-colored mug with a matte glaze',
      title: null,
    },
  ],
}
const exampleGroup: DuplicateGroup = {
  reason: 'same_name',
  value: exampleProduct.name,
  count: 2,
  products: [exampleProduct, { ...exampleProduct, id: 2, sku: 'MUG-300-BEIGE' }],
}

const envelope = EnvelopeOf(DuplicateGroupSchema)

export const DuplicatePageSchema = Type.Object(
  {
    ...envelope.properties,
    count: Type.Integer({ description: 'Number of groups' }),
    complete: Type.Boolean({
      description:
        'false: the project can have further duplicates, because it has more products or duplicates than the service compares',
    }),
  },
  {
    $id: 'DuplicatePage',
    ...closed,
    examples: [{ count: 1, next: null, previous: null, results: [exampleGroup], complete: true }],
  },
)
