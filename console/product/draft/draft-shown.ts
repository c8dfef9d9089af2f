import type { Draft } from './draft.ts'
import { wireFields } from './draft-fields.ts'

/** The draft field by field as people read it: categories and other products by their names, not by their ids. */
export function shownFields(draft: Draft): Map<string, unknown> {
  const fields = wireFields(draft)
  fields.set('categories', draft.categories).set('parent', draft.parent)
  fields.set('components', draft.components)
  for (const [kind, list] of Object.entries(draft.links)) fields.set(`links.${kind}`, list)
  return fields
}
