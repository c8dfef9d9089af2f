import { Type } from 'typebox'
import { PageOf, pageParameters } from '../http/pages.ts'

const Timestamp = Type.String({ format: 'date-time' })
const VersionNumber = Type.String({
  pattern: '^\\d+\\.\\d+\\.\\d+$',
  description: 'Three numbers with dots between',
})

export const PromptSchema = Type.Object(
  {
    id: Type.Integer(),
    project: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    latest_version: VersionNumber,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: 'Prompt', additionalProperties: false },
)
export type Prompt = Type.Static<typeof PromptSchema>

export const PromptPageSchema = PageOf(PromptSchema, 'PromptPage')
export const PromptQuerySchema = Type.Object(pageParameters)

/** Specification 2.4, exactly. */
const PromptVersionSchema = Type.Object(
  { version_number: VersionNumber, prompt_text: Type.String(), created_at: Timestamp },
  { additionalProperties: false },
)
export type PromptVersion = Type.Static<typeof PromptVersionSchema>

/** Specification 4.3: one field, oldest first. */
export const PromptVersionsSchema = Type.Object(
  { versions: Type.Array(PromptVersionSchema) },
  { $id: 'PromptVersions', additionalProperties: false },
)
