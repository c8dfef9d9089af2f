import { Type } from 'typebox'
import { productLimits } from '../../../model/limits/products.ts'
import { closed } from '../../../platform/http/closed.ts'

const latestVersion = 2_147_483_647

/** The body of POST /products/{id}/revert. */
export const RevertSchema = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: latestVersion,
      description: 'Version number from the history',
    }),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: productLimits.namedFieldCharacters }), {
        minItems: 1,
        maxItems: productLimits.namedFields,
        description:
          'Fields to revert, such as `price`, `attributes.color`, or `attributes` for all attributes. Default: all fields',
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
