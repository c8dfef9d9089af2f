import { Type } from 'typebox'
import { promptLimits } from '../../model/limits/prompts.ts'
import { Timestamp } from '../../model/product/product.schema.ts'
import { VersionNumber } from '../../model/prompts/version-number.schema.ts'
import { bumps, versionRule } from '../../model/prompts/version-number.ts'
import { closed } from '../../platform/http/closed.ts'
import { OneOf } from '../../platform/http/openapi.ts'

export const OptionalVersionNumber = Type.Unsafe<string | null>({
  ...VersionNumber,
  type: ['string', 'null'],
})
export const Variables = Type.Array(Type.String(), {
  description: 'Names of the {{variables}} in the text, in order of first use',
})
export const PromptText = Type.String({
  minLength: 1,
  maxLength: promptLimits.textCharacters,
  description:
    'Text of the prompt. Write a variable as {{name}} or {{ name }}, with dots for nested values: {{attributes.color}}',
})
const Message = Type.String({
  maxLength: promptLimits.messageCharacters,
  description: 'What changed, and why',
})

export const PromptVersionId = Type.Object({
  id: Type.Integer({ description: 'Prompt identifier' }),
  version_number: VersionNumber,
})

/** Specification 2.4, exactly. */
const PromptVersionSchema = Type.Object(
  { version_number: VersionNumber, prompt_text: Type.String(), created_at: Timestamp },
  closed,
)
export type PromptVersion = Type.Static<typeof PromptVersionSchema>

/** Specification 4.3: one field, oldest first. */
export const PromptVersionsSchema = Type.Object(
  { versions: Type.Array(PromptVersionSchema) },
  {
    $id: 'PromptVersions',
    ...closed,
    examples: [
      {
        versions: [
          {
            version_number: '1.0.0',
            prompt_text: 'Write a title for {{name}}.\nColor: {{attributes.color}}',
            created_at: '2026-01-31T08:15:30.000Z',
          },
          {
            version_number: '1.1.0',
            prompt_text:
              'Write a title of at most {{length}} characters for {{name}}.\nColor: {{attributes.color}}',
            created_at: '2026-01-31T08:15:30.000Z',
          },
        ],
      },
    ],
  },
)

export const PromptVersionDetailSchema = Type.Object(
  {
    version_number: VersionNumber,
    prompt_text: Type.String(),
    message: Type.String(),
    variables: Variables,
    actor: Type.String({ description: 'Name of the token that added it' }),
    created_at: Timestamp,
  },
  {
    $id: 'PromptVersionDetail',
    ...closed,
    examples: [
      {
        version_number: '1.1.0',
        prompt_text:
          'Write a title of at most {{length}} characters for {{name}}.\nColor: {{attributes.color}}',
        message: 'Titles were too long',
        variables: ['length', 'name', 'attributes.color'],
        actor: 'API client',
        created_at: '2026-01-31T08:15:30.000Z',
      },
    ],
  },
)
export type PromptVersionDetail = Type.Static<typeof PromptVersionDetailSchema>

/** The number of the new version is raised from the latest, or given; see add-prompt-version.ts. */
export const NewPromptVersionSchema = Type.Object(
  {
    prompt_text: PromptText,
    bump: Type.Optional(OneOf(bumps, { description: 'Part of the latest number to raise. Default: minor' })),
    version_number: Type.Optional(
      Type.String({ description: 'Instead of `bump`: a number above the latest, such as 2.0.0' }),
    ),
    based_on: Type.Optional(
      Type.Unsafe<string>({
        ...VersionNumber,
        description: `${versionRule}: the latest version that you know. Returns 409 \`newer_version\` if there is a newer one`,
      }),
    ),
    message: Type.String({ ...Message, default: '' }),
  },
  {
    $id: 'PromptVersionCreate',
    ...closed,
    examples: [
      {
        prompt_text:
          'Write a title of at most {{length}} characters for {{name}}.\nColor: {{attributes.color}}',
        bump: 'minor',
        message: 'Titles were too long',
      },
    ],
    required: ['prompt_text'],
  },
)
export type NewPromptVersion = Type.Static<typeof NewPromptVersionSchema>

export const PromptDiffQuerySchema = Type.Object({
  from: Type.Optional(Type.String({ description: 'Version to compare from (default: the one before `to`)' })),
  to: Type.Optional(Type.String({ description: 'Version to compare to (default: the latest)' })),
})

const Hunk = Type.Object(
  {
    from_start: Type.Integer({ description: 'First line of the hunk in `from`, counted from 1' }),
    from_lines: Type.Integer(),
    to_start: Type.Integer(),
    to_lines: Type.Integer(),
    lines: Type.Array(Type.String(), {
      description:
        'As in a unified diff: each line starts with a space, - or +. `\\ No newline at end of file` appears if only one text has no final newline',
    }),
  },
  closed,
)

export const PromptDiffSchema = Type.Object(
  {
    from: Type.Unsafe<string | null>({
      ...OptionalVersionNumber,
      description: 'null: `to` is the first version, and all lines are new',
    }),
    to: VersionNumber,
    hunks: Type.Array(Hunk),
    variables: Type.Object({ added: Type.Array(Type.String()), removed: Type.Array(Type.String()) }, closed),
  },
  {
    $id: 'PromptDiff',
    ...closed,
    examples: [
      {
        from: '1.0.0',
        to: '1.1.0',
        hunks: [
          {
            from_start: 1,
            from_lines: 2,
            to_start: 1,
            to_lines: 2,
            lines: [
              '-Write a title for {{name}}.',
              '+Write a title of at most {{length}} characters for {{name}}.',
              ' Color: {{attributes.color}}',
            ],
          },
        ],
        variables: { added: ['length'], removed: [] },
      },
    ],
  },
)
export type PromptDiff = Type.Static<typeof PromptDiffSchema>
