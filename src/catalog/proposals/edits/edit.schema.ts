import { Type } from 'typebox'
import { operations } from '../../../model/fields/field.ts'
import { productLimits } from '../../../model/limits/products.ts'
import { proposalLimits } from '../../../model/limits/proposals.ts'
import { closed } from '../../../platform/http/closed.ts'
import { OneOf } from '../../../platform/http/openapi.ts'

const RoundedNumber = (description: string, least: number) =>
  Type.Optional(Type.Number({ minimum: least, maximum: proposalLimits.roundNumber, description }))
const RoundSchema = Type.Object(
  {
    step: RoundedNumber('Round to a multiple of this number, such as 0.05', 0.0001),
    ending: RoundedNumber(
      'Round to a price that ends in this number: 0.95 yields 19.95, and 9.95 yields 29.95',
      0,
    ),
    direction: Type.Optional(OneOf(['nearest', 'up', 'down'], { default: 'nearest' })),
  },
  {
    ...closed,
    description:
      'How to round after `multiply` and `add`, instead of `decimals`. Specify either `step` or `ending`. A price above zero never becomes zero.',
    examples: [{ ending: 0.95 }, { step: 0.5, direction: 'up' }],
  },
)

/** One edit of one field, for many products. check-edits.ts checks it against the field. */
const EditSchema = Type.Object(
  {
    field: Type.String({
      minLength: 1,
      // "attributes." and the longest attribute name.
      maxLength: 111,
      description:
        'A product field, or one value in it: `attributes.<name>`, `links.<kind>`, `inventory.<name>`',
    }),
    op: OneOf(operations, {
      description:
        'Any field: `set`, and `clear` (reset to the default). Text: `append`, `prepend`, and `replace` (every occurrence, case-sensitive; in a list, equal values). Attributes: `rename`, unless the product already has the new name. Price and numeric attributes: `multiply` and `add`. Categories: `add_categories` and `remove_categories`.',
    }),
    value: Type.Optional(
      Type.Unknown({
        description:
          'The value to `set`; the text to append or prepend; `{"find": …, "with": …}` for `replace`; the new attribute name; the number to multiply by or add; a list of categories as in a product',
      }),
    ),
    decimals: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: productLimits.priceDecimals,
        description:
          'Number of decimals after `multiply` and `add`, rounded half away from zero. Default: 2.',
      }),
    ),
    round: Type.Optional(RoundSchema),
    from: Type.Optional(
      Type.Literal('price', {
        description:
          'Compute the attribute, such as `sale_price`, from the price with `multiply` or `add`. Products without a price do not change.',
      }),
    ),
  },
  closed,
)
export type Edit = Type.Static<typeof EditSchema>

/** Edits apply in order, each to the result of the previous one. */
export const EditsSchema = Type.Array(EditSchema, { minItems: 1, maxItems: proposalLimits.edits })
