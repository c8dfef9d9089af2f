import { Type } from 'typebox'
import { AttributeDefinitionSchema } from '../../model/attributes/attribute-definition.schema.ts'
import { attributeLimits } from '../../model/limits/attributes.ts'
import { closed } from '../../platform/http/closed.ts'
import { ref } from '../../platform/http/openapi.ts'

const Count = Type.Integer({ minimum: 0 })

const SuggestionSchema = Type.Object(
  {
    name: Type.String(),
    products: Type.Integer({ minimum: 0, description: 'Number of checked products that have the attribute' }),
    types: Type.Object(
      { text: Count, number: Count, boolean: Count, several: Count },
      {
        ...closed,
        description: 'Number of products in which the value is a string, a number, a boolean or a list',
      },
    ),
    values: Type.Array(
      Type.Object(
        {
          value: Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] }),
          products: Count,
        },
        closed,
      ),
      {
        description: `Up to ${attributeLimits.suggestedValues} values, those with the most products first; long values are cut to ${attributeLimits.suggestedValueCharacters} characters`,
      },
    ),
    distinct: Type.Integer({ minimum: 0, description: 'Number of distinct values' }),
    definition: ref(AttributeDefinitionSchema),
  },
  closed,
)
export type AttributeSuggestion = Type.Static<typeof SuggestionSchema>

export const AttributeSuggestionsSchema = Type.Object(
  {
    products: Type.Integer({ description: 'Products in the project' }),
    looked_at: Type.Integer({
      description: 'Products checked: all of them up to 20,000, otherwise 20,000 spread evenly by ID',
    }),
    results: Type.Array(SuggestionSchema, {
      description: `Up to ${attributeLimits.suggestedAttributes} attributes, those with the most products first`,
    }),
  },
  {
    $id: 'AttributeSuggestions',
    ...closed,
    examples: [
      {
        products: 2,
        looked_at: 2,
        results: [
          {
            name: 'color',
            products: 1,
            types: { text: 1, number: 0, boolean: 0, several: 0 },
            values: [{ value: 'white', products: 1 }],
            distinct: 1,
            definition: {
              name: 'color',
              type: 'text',
              label: null,
              group: null,
              position: 0,
              unit: null,
              multiple: false,
              allowed: null,
              pattern: null,
              min: null,
              max: null,
              max_length: null,
              required_for: null,
              mode: 'warn',
              description: '',
            },
          },
        ],
      },
    ],
  },
)
export type AttributeSuggestions = Type.Static<typeof AttributeSuggestionsSchema>
