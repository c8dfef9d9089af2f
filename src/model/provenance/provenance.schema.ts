import { Type } from 'typebox'
import { closed } from '../../platform/http/closed.ts'
import type { Entries } from './entries.ts'

const OptionalText = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const EntrySchema = Type.Object(
  {
    prompt_id: Type.Integer(),
    version_number: Type.String({ description: 'Version of the prompt' }),
    model: OptionalText,
    at: Type.String({ format: 'date-time', description: 'When the value was written' }),
    reviewed_by: Type.Unsafe<string | null>({
      ...OptionalText,
      description: 'Who applied the proposal that wrote the value',
    }),
    edited: Type.Optional(
      Type.Literal(true, { description: 'Someone edited the value before it was applied' }),
    ),
  },
  closed,
)

export const ProvenanceSchema = Type.Record(Type.String(), EntrySchema, {
  $id: 'Provenance',
  description: 'Fields whose value a prompt wrote, such as `description` or `attributes.color`',
})
export type Provenance = Type.Static<typeof ProvenanceSchema>

const none: Provenance = {}

/** Entries in the form of responses. */
export function showProvenance(entries: Entries): Provenance {
  const fields = Object.entries(entries)
  if (fields.length === 0) return none
  return Object.fromEntries(fields.map(([field, { version: _version, ...entry }]) => [field, entry]))
}
