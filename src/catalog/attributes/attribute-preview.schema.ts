import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'

const Count = Type.Integer({ minimum: 0 })

export const AttributePreviewSchema = Type.Object(
  {
    products: Type.Integer({ ...Count, description: 'Products of the project' }),
    looked_at: Type.Integer({
      ...Count,
      description: 'All of them up to 20,000; of more, 20,000 that are spread evenly by id',
    }),
    with_value: Type.Integer({ ...Count, description: 'Of those looked at, how many have the attribute' }),
    offending: Type.Integer({
      ...Count,
      description:
        'Of those looked at, how many the definition finds fault with: a write of the same value would be refused if it was enforced',
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
      { description: 'The first 100 of them, by id' },
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
