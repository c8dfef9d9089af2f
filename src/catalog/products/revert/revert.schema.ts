import { Type } from 'typebox'
import { productLimits } from '../../../model/limits/products.ts'
import { closed } from '../../../platform/http/closed.ts'

const latestVersion = 2_147_483_647

/** The body of POST /products/{id}/revert. */
export const RevertSchema = Type.Object(
  {
    version: Type.Integer({ minimum: 1, maximum: latestVersion, description: 'As the history numbers them' }),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: productLimits.namedFieldCharacters }), {
        minItems: 1,
        maxItems: productLimits.namedFields,
        description:
          'Those that are to be as they were, such as `price`, `attributes.color`, or `attributes` for all of them; by default all',
      }),
    ),
  },
  {
    $id: 'ProductRevert',
    ...closed,
    examples: [{ version: 1, fields: ['price', 'attributes.color'] }],
  },
)
export type Revert = Type.Static<typeof RevertSchema>
