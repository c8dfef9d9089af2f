import { fieldEntries } from '../../../src/model/fields/product-fields.ts'
import type { Draft } from './draft.ts'
import { wireFields } from './draft-fields.ts'

/** The draft field by field for display: names of categories and products instead of IDs. */
export function shownFields(draft: Draft): Map<string, unknown> {
  const fields = wireFields(draft)
  for (const [name, { references, merges }] of fieldEntries) {
    if (references === undefined) continue
    if (merges === 'whole') fields.set(name, draft[name])
    else for (const [part, list] of Object.entries(draft[name] as object)) fields.set(`${name}.${part}`, list)
  }
  return fields
}
