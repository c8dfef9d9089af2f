import { Type } from 'typebox'
import { Timestamp } from '../../model/product/product.schema.ts'
import { VersionNumber } from '../../model/prompts/version-number.schema.ts'
import { updatable } from '../../platform/http/body/read-only-fields.ts'
import { closed } from '../../platform/http/closed.ts'
import { PageOf, pageParameters } from '../../platform/http/response/page-envelope.ts'
import { PromptId } from './prompt.schema.ts'
import { OptionalVersionNumber } from './prompt-version.schema.ts'

const labelPattern = '^[a-z][a-z0-9._-]{0,63}$'
export const labelRule =
  'a name such as production: lowercase letters, digits, dots, underscores and dashes, starting with a letter, at most 64 characters'
export const labelShape = new RegExp(labelPattern)
export const Label = Type.String({ pattern: labelPattern, description: labelRule })

export const PromptLabelId = Type.Object({ ...PromptId.properties, label: Label })

export const PromptLabelSchema = Type.Object(
  { label: Type.String(), version_number: VersionNumber, updated_at: Timestamp },
  {
    $id: 'PromptLabel',
    ...closed,
    examples: [{ label: 'production', version_number: '1.1.0', updated_at: '2026-01-31T08:15:30.000Z' }],
  },
)
export type PromptLabel = Type.Static<typeof PromptLabelSchema>

export const LabelTargetSchema = updatable(
  Type.Object(
    { version_number: VersionNumber },
    { $id: 'PromptLabelTarget', ...closed, examples: [{ version_number: '1.1.0' }] },
  ),
  PromptLabelSchema,
)
export type LabelTarget = Type.Static<typeof LabelTargetSchema>

const PromptLabelMoveSchema = Type.Object(
  {
    label: Type.String(),
    from_version: Type.Unsafe<string | null>({
      ...OptionalVersionNumber,
      description: 'null: the label was created',
    }),
    to_version: Type.Unsafe<string | null>({
      ...OptionalVersionNumber,
      description: 'null: the label was deleted',
    }),
    actor: Type.String({ description: 'Name of the token that moved it' }),
    moved_at: Timestamp,
  },
  { $id: 'PromptLabelMove', ...closed },
)
export type PromptLabelMove = Type.Static<typeof PromptLabelMoveSchema>

export const PromptLabelMovePageSchema = PageOf(PromptLabelMoveSchema, 'PromptLabelMovePage', {
  label: 'production',
  from_version: null,
  to_version: '1.1.0',
  actor: 'API client',
  moved_at: '2026-01-31T08:15:30.000Z',
})
export const PromptLabelMoveQuerySchema = Type.Object({
  label: Type.Optional(Type.String({ description: 'Only the moves of this label' })),
  ...pageParameters,
})
