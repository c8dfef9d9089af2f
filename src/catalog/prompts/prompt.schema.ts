import { Type } from 'typebox'
import { promptLimits } from '../../model/limits/prompts.ts'
import { Timestamp } from '../../model/product/product.schema.ts'
import { VersionNumber } from '../../model/prompts/version-number.schema.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { orderingParameter } from '../../platform/http/query/ordering.ts'
import { NameSchema, StoredNameSchema } from '../../platform/http/request/name.schema.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { PromptText, Variables } from './prompt-version.schema.ts'

const orderingFields = ['id', 'name', 'created_at', 'updated_at'] as const

const Description = Type.String({
  maxLength: promptLimits.descriptionCharacters,
  description: 'What the prompt is for',
})

export const PromptId = Type.Object({ id: Type.Integer({ description: 'Prompt identifier' }) })

export const PromptSchema = Type.Object(
  {
    id: Type.Integer(),
    project: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    latest_version: VersionNumber,
    labels: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: VersionNumber,
      description: 'Version that each label points to',
    }),
    variables: Variables,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  {
    $id: 'Prompt',
    ...closed,
    examples: [
      {
        id: 1,
        project: 1,
        name: 'Product title',
        description: 'Titles for the shop',
        latest_version: '1.0.0',
        labels: {},
        variables: ['name', 'attributes.color'],
        created_at: '2026-01-31T08:15:30.000Z',
        updated_at: '2026-01-31T08:15:30.000Z',
      },
    ],
  },
)
export type Prompt = Type.Static<typeof PromptSchema>

export const PromptPageSchema = PageOf(PromptSchema, 'PromptPage', {
  id: 1,
  project: 1,
  name: 'Product title',
  description: 'Titles for the shop',
  latest_version: '1.1.0',
  labels: { production: '1.1.0' },
  variables: ['length', 'name', 'attributes.color'],
  created_at: '2026-01-31T08:15:30.000Z',
  updated_at: '2026-01-31T08:15:30.000Z',
})

export const PromptQuerySchema = Type.Object({
  search: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        'Every word must occur in the name or the description. Case is ignored; % and _ have no special meaning',
    }),
  ),
  ordering: orderingParameter(orderingFields),
  ...pageParameters,
})

/** The body of POST /prompts; the text becomes version 1.0.0. */
export const NewPromptSchema = Type.Object(
  { name: NameSchema, prompt_text: PromptText, description: Type.String({ ...Description, default: '' }) },
  {
    $id: 'PromptCreate',
    ...closed,
    examples: [
      {
        name: 'Product title',
        prompt_text: 'Write a title for {{name}}.\nColor: {{attributes.color}}',
        description: 'Titles for the shop',
      },
    ],
    required: ['name', 'prompt_text'],
  },
)
export type NewPrompt = Type.Static<typeof NewPromptSchema>

export const PromptChangesSchema = updatable(
  Type.Object(
    { name: Type.Optional(StoredNameSchema), description: Type.Optional(Description) },
    { $id: 'PromptPatch', ...closed, examples: [{ description: 'Titles for the shop and its feeds' }] },
  ),
  PromptSchema,
)
export type PromptChanges = Type.Static<typeof PromptChangesSchema>
