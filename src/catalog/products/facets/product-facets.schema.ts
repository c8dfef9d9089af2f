import { Type } from 'typebox'
import { closed } from '../../../platform/http/closed.ts'
import { productFilters } from '../product-list.schema.ts'

/** Parameters of GET /products/facets. */
export const FacetQuerySchema = Type.Object(
  {
    facets: Type.Array(Type.String({ minLength: 1 }), {
      style: 'form',
      explode: false,
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      description: 'Names of 1 to 10 attributes',
    }),
    values: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 20,
        description: 'Maximum number of values per attribute; values with the most products come first',
      }),
    ),
    ...productFilters,
  },
  { 'x-rejected': { names: ['view'], code: 'not_in_view', message: 'cannot be combined with facets' } },
)

const FacetSchema = Type.Object(
  {
    attribute: Type.String(),
    values: Type.Array(
      Type.Object(
        {
          value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
          products: Type.Integer({
            description: 'Number of products that have the value, alone or among others',
          }),
        },
        closed,
      ),
      { description: 'Ordered by number of products, descending, then by value; at most 64 KiB in total' },
    ),
    count: Type.Integer({ description: 'Number of distinct values' }),
    without: Type.Integer({ description: 'Number of products without the attribute' }),
  },
  closed,
)
export type Facet = Type.Static<typeof FacetSchema>

export const ProductFacetsSchema = Type.Object(
  {
    count: Type.Integer({ description: 'Number of products that match all filters' }),
    facets: Type.Array(FacetSchema, { description: 'In the requested order' }),
  },
  {
    $id: 'ProductFacets',
    ...closed,
    examples: [
      {
        count: 1,
        facets: [{ attribute: 'color', values: [{ value: 'sand', products: 1 }], count: 1, without: 0 }],
      },
    ],
  },
)
export type ProductFacets = Type.Static<typeof ProductFacetsSchema>
