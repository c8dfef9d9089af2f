import { Type } from 'typebox'
import { promptLimits } from '../../model/limits/prompts.ts'
import { VersionNumber } from '../../model/prompts/version-number.schema.ts'
import { closed } from '../../platform/http/closed.ts'
import { Label } from '../prompts/prompt-label.schema.ts'
import { Variables } from '../prompts/prompt-version.schema.ts'

export const RenderRequestSchema = Type.Object(
  {
    label: Type.Optional(Label),
    version_number: Type.Optional(VersionNumber),
    product_id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'Product that provides {{sku}}, {{name}}, {{price}}, {{categories}}, {{attributes.color}} and its other fields; requires the scope products:read',
      }),
    ),
    variables: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      maxProperties: promptLimits.variables,
      additionalProperties: { type: ['string', 'number', 'boolean', 'object'] },
      default: {},
      description:
        'Values by name; they take precedence over the product. {"a.b": 1} and {"a": {"b": 1}} are equivalent',
    }),
  },
  {
    $id: 'PromptRender',
    ...closed,
    examples: [{ label: 'production', product_id: 1, variables: { length: 60 } }],
    required: [],
  },
)
export type RenderRequest = Type.Static<typeof RenderRequestSchema>

export const RenderedPromptSchema = Type.Object(
  {
    version_number: VersionNumber,
    rendered_text: Type.String(),
    variables: Type.Object(
      {
        used: Variables,
        unused: Type.Array(Type.String(), {
          description: 'Given variables that the text does not use; often a typo',
        }),
      },
      closed,
    ),
  },
  {
    $id: 'RenderedPrompt',
    ...closed,
    examples: [
      {
        version_number: '1.1.0',
        rendered_text: 'Write a title of at most 60 characters for Stoneware mug, 0.3 l.\nColor: white',
        variables: { used: ['length', 'name', 'attributes.color'], unused: [] },
      },
    ],
  },
)
export type RenderedPrompt = Type.Static<typeof RenderedPromptSchema>
