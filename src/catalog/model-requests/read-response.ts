import { jsonTypeOf, type WrittenField } from './written-fields.ts'

/** What a model wrote, by field. A field that it declined is null. */
export type WrittenValues = Record<string, unknown>

type Read = { values: WrittenValues; error?: never } | { values?: never; error: 'invalid_response' }

const invalid: Read = { error: 'invalid_response' }

/** Checks the types and choices of a response. Everything else is checked when the line is proposed, like a push line. */
export function readResponse(fields: readonly WrittenField[], response: unknown): Read {
  if (typeof response !== 'object' || response === null || Array.isArray(response)) return invalid
  const given = response as Record<string, unknown>
  const values: [string, unknown][] = []
  for (const one of fields) {
    const value = trimmed(Object.hasOwn(given, one.key) ? given[one.key] : null)
    if (value !== null && !isValid(one, value)) return invalid
    values.push([one.field, value])
  }
  return { values: Object.fromEntries(values) }
}

export function isDeclined(values: WrittenValues): boolean {
  return Object.values(values).every((value) => value === null)
}

/** An empty text or list means the same as null. */
function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim().replaceAll('\0', '')
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(trimmed)
  return value ?? null
}

function isValid(one: WrittenField, value: unknown): boolean {
  if (Array.isArray(value))
    return one.definition?.multiple === true && value.every((part) => isValidPart(one, part))
  return isValidPart(one, value)
}

function isValidPart(one: WrittenField, value: unknown): boolean {
  if (typeof value !== jsonTypeOf(one)) return false
  if (typeof value === 'string' && !value.isWellFormed()) return false
  const { allowed = null } = one.definition ?? {}
  return allowed === null || allowed.includes(String(value))
}
