import { Type } from 'typebox'
import { operations } from '../../../model/fields/product-fields.ts'
import { productLimits } from '../../../model/limits/products.ts'
import { proposalLimits } from '../../../model/limits/proposals.ts'
import { closed } from '../../../platform/http/closed.ts'
import { OneOf } from '../../../platform/http/openapi.ts'

/** One change of one field, the same for many products. What the field makes of it is for check-edits.ts to say. */
const EditSchema = Type.Object(
  {
    field: Type.String({
      minLength: 1,
      // "attributes." and the longest name that an attribute may have.
      maxLength: 111,
      description:
        'A field of the product, or one value of it: `attributes.<name>`, `links.<kind>`, `inventory.<name>`',
    }),
    op: OneOf(operations, {
      description:
        '`set` and `clear` (back to the default); of texts `append`, `prepend` and `replace` (every occurrence, in the same case; of several values those that are equal); of an attribute `rename`, where the product has none of the other name; of the price `multiply` and `add`; of categories `add_categories` and `remove_categories`',
    }),
    value: Type.Optional(
      Type.Unknown({
        description:
          'What `set` puts there; the text to append or prepend; `{"find": …, "with": …}` to replace; the other name of an attribute; the number to multiply by or to add; a list of categories as in a product',
      }),
    ),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: productLimits.priceDecimals,
        description:
          'How many decimals `multiply` and `add` leave, half away from zero; 2 unless said otherwise',
      }),
    ),
  },
  closed,
)
export type Edit = Type.Static<typeof EditSchema>

/** Edits apply in their order, each to what the edits before it left. */
export const EditsSchema = Type.Array(EditSchema, { minItems: 1, maxItems: proposalLimits.edits })

/** As long as an address may be. */
export const FilterSchema = Type.String({
  maxLength: proposalLimits.filterCharacters,
  description:
    'The filters of GET /products as its query string, such as `status=active&price__lte=20`; an empty one means all products',
})
