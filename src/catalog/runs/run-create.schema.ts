import { Type } from 'typebox'
import { viewCodePattern } from '../../model/fields/view-paths.ts'
import { runLimits } from '../../model/limits/runs.ts'
import { VersionNumber } from '../../model/prompts/version-number.schema.ts'
import { closed } from '../../platform/http/closed.ts'
import { Label } from '../prompts/prompt-label.schema.ts'
import { FilterSchema } from '../proposals/read-filter.ts'
import { RenderRequestSchema } from '../rendering/prompt-render.schema.ts'
import { Amount } from './run.schema.ts'

const ProductId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

export const RunCreateSchema = Type.Object(
  {
    label: Type.Optional(Label),
    version_number: Type.Optional(VersionNumber),
    filter: Type.Optional(FilterSchema),
    products: Type.Optional(
      Type.Array(ProductId, {
        minItems: 1,
        maxItems: runLimits.products,
        uniqueItems: true,
        description: 'Product IDs. Send either `products` or `filter`',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: runLimits.products,
        description: 'Maximum number of products, in the order of their IDs or of `products`',
      }),
    ),
    write: Type.Array(Type.String({ minLength: 1, maxLength: 111 }), {
      minItems: 1,
      maxItems: runLimits.fields,
      uniqueItems: true,
      description: 'Fields to write: `name`, `description`, `short_description` or `attributes.<name>`',
    }),
    view: Type.Optional(
      Type.String({
        pattern: viewCodePattern,
        description:
          'a view code, to write the fields of this view; the prompt then contains the text to translate',
      }),
    ),
    variables: RenderRequestSchema.properties.variables,
    provider: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Name of an AI provider of the project',
    }),
    model: Type.String({ minLength: 1, maxLength: 200, description: 'One of the models of the provider' }),
    sample: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: runLimits.products,
        default: runLimits.sample,
        description: 'Products after which the run waits for your review; 0: it never waits',
      }),
    ),
    budget: Type.Optional(
      Type.Object(
        {
          amount: Type.Number({ exclusiveMinimum: 0, maximum: runLimits.budget }),
          currency: Type.String({ pattern: '^[A-Z]{3}$' }),
        },
        { ...closed, description: 'Most that the run can spend. Required unless the model is free' },
      ),
    ),
    reuse: Type.Optional(
      Type.Boolean({
        default: true,
        description: `Use the response of an earlier call with the same input, up to ${runLimits.responseDays} days old`,
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ default: false, description: 'Returns prompts and costs, and makes no call' }),
    ),
  },
  {
    $id: 'RunCreate',
    ...closed,
    required: ['write', 'provider', 'model'],
    examples: [
      {
        label: 'production',
        filter: 'status=active&quality_rule=description',
        write: ['description'],
        provider: 'house',
        model: 'llama-3.3',
        budget: { amount: 5, currency: 'EUR' },
      },
    ],
  },
)
export type RunCreate = Type.Static<typeof RunCreateSchema>

export const RunPreviewSchema = Type.Object(
  {
    products: Type.Integer({ minimum: 0 }),
    prompts: Type.Array(Type.Object({ product_id: Type.Integer(), text: Type.String() }, closed), {
      maxItems: runLimits.shownPrompts,
      description: 'The prompts of the first products',
    }),
    missing_variables: Type.Array(
      Type.Object({ name: Type.String(), products: Type.Integer({ minimum: 1 }) }, closed),
      { description: 'Variables without a value, and the number of products that are therefore skipped' },
    ),
    cost: Type.Object(
      {
        expected: Type.Number({ ...Amount, description: 'An estimate' }),
        largest: Type.Number({ ...Amount, description: 'The most that one attempt per product can cost' }),
        currency: Type.String(),
      },
      closed,
    ),
  },
  {
    $id: 'RunPreview',
    ...closed,
    examples: [
      {
        products: 250,
        prompts: [{ product_id: 1, text: 'Describe <data-3f9a>Stoneware mug, 0.3 l</data-3f9a>.' }],
        missing_variables: [{ name: 'attributes.color', products: 3 }],
        cost: { expected: 1.25, largest: 4.8, currency: 'EUR' },
      },
    ],
  },
)
export type RunPreview = Type.Static<typeof RunPreviewSchema>
