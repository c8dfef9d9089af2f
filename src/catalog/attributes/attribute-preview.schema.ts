import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'

const Count = Type.Integer({ minimum: 0 })

export const AttributePreviewSchema = Type.Object(
  {
    products: Type.Integer({ ...Count, description: 'Products in the project' }),
    looked_at: Type.Integer({
      ...Count,
      description: 'Products checked: all of them up to 20,000, otherwise 20,000 spread evenly by ID',
    }),
    with_value: Type.Integer({ ...Count, description: 'Number of checked products that have the attribute' }),
    offending: Type.Integer({
      ...Count,
      description:
        'Number of checked products that break the definition; writing the same value would be rejected if the definition were enforced',
    }),
    offenders: Type.Array(
      Type.Object(
        {
          id: Type.Integer(),
          sku: Type.String(),
          name: Type.String(),
          code: Type.String(),
          message: Type.String(),
        },
        closed,
      ),
      { description: 'The first 100 of these products, by ID' },
    ),
  },
  {
    $id: 'AttributePreview',
    ...closed,
    examples: [
      {
        products: 2,
        looked_at: 2,
        with_value: 1,
        offending: 1,
        offenders: [
          {
            id: 1,
            sku: 'MUG-300-SAND',
            name: 'Stoneware mug, 0.3 l',
            code: 'not_allowed',
            message: 'must be one of Stoneware, Porcelain, Glass',
          },
        ],
      },
    ],
  },
)
export type AttributePreview = Type.Static<typeof AttributePreviewSchema>
