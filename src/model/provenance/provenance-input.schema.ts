import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import { plainName } from '../../platform/http/request/name.schema.ts'
import { productLimits } from '../limits/products.ts'
import { VersionNumber } from '../prompts/version-number.schema.ts'

/** The prompt that wrote the values in a body. */
export const ProvenanceInputSchema = Type.Object(
  {
    prompt_id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    version_number: VersionNumber,
    model: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: productLimits.modelCharacters,
        'x-normalised': true,
        ...plainName,
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String({ maxLength: productLimits.namedFieldCharacters }), {
        minItems: 1,
        maxItems: productLimits.namedFields,
        description:
          'Fields that the prompt wrote, such as `description`, `price`, `attributes.color`, or `attributes` for all attributes. By default, the text fields and attributes that the write changes',
      }),
    ),
  },
  {
    ...closed,
    'x-form': true,
    description:
      'the prompt version that wrote the change: {"prompt_id": 2, "version_number": "1.1.0"}, optionally with "model" and "fields"; leave it out if no prompt wrote the change',
  },
)
export type ProvenanceInput = Type.Static<typeof ProvenanceInputSchema>
