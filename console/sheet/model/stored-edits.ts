import type { SheetField } from '../fields/sheet-field.ts'
import { type Edit, type Edits, keyOf, mostEdits } from './edits.ts'

/** Browsers accept about 5 MB per site. */
const mostCharacters = 2_000_000

type Stored = Pick<Edit, 'id' | 'field' | 'sku' | 'version' | 'base' | 'text'>

/** Null if the edits are too large. */
export function writeStored(edits: Edits): string | null {
  const stored = [...edits.values()].map(
    ({ id, field, sku, version, base, text }): Stored => ({ id, field, sku, version, base, text }),
  )
  const text = JSON.stringify(stored)
  return text.length > mostCharacters ? null : text
}

/** Reads texts again: definitions may have changed. Ignores what has an unexpected shape. */
export function readStored(text: string | null, fieldAt: (path: string) => SheetField | undefined): Edits {
  const edits = new Map<string, Edit>()
  for (const one of parsed(text).slice(0, mostEdits)) {
    if (!isStored(one)) continue
    const field = fieldAt(one.field)
    const read = field?.codec.read(one.text, one.base)
    if (read === undefined) continue
    const { id, sku, version, base } = one
    edits.set(keyOf(id, one.field), { id, field: one.field, sku, version, base, text: one.text, ...read })
  }
  return edits
}

function parsed(text: string | null): unknown[] {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

function isStored(one: unknown): one is Stored {
  const { id, field, sku, version, text } = (one ?? {}) as Partial<Stored>
  return (
    Number.isSafeInteger(id) &&
    Number.isSafeInteger(version) &&
    [field, sku, text].every((part) => typeof part === 'string')
  )
}
