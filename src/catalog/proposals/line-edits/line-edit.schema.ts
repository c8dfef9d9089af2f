import { Type } from 'typebox'
import { LinePatchSchema } from '../../../model/product/product-input.schema.ts'
import { closed } from '../../../platform/http/closed.ts'
import { ProposalId, RevisionRange } from '../proposal.schema.ts'

export const EditedLine = Type.Object({
  ...ProposalId.properties,
  line: Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Line number' }),
})

export const LineEditSchema = Type.Object(
  {
    patch: LinePatchSchema,
    revision: Type.Optional(
      Type.Integer({
        ...RevisionRange,
        description:
          'The revision of the proposal that you have read. If someone has edited the line since, the request returns 412.',
      }),
    ),
  },
  { $id: 'ProposalLineEdit', ...closed, examples: [{ patch: { price: 13.5 }, revision: 1 }] },
)
