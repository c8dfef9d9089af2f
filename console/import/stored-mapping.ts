import type { Mapping } from './mapping.ts'

const keyOf = (project: number) => `catalog-import-columns-${project}`
const maxStored = 20

type StoredMapping = { header: string[]; mapping: string[] }

/** The last mapping in this browser for a file with the same columns. */
export function storedMapping(project: number, header: readonly string[]): string[] | undefined {
  return readStored(project).find((stored) => isSame(stored.header, header))?.mapping
}

export function storeMapping(project: number, header: readonly string[], mapping: Mapping): void {
  const others = readStored(project).filter((stored) => !isSame(stored.header, header))
  const stored = [{ header, mapping }, ...others].slice(0, maxStored)
  try {
    localStorage.setItem(keyOf(project), JSON.stringify(stored))
  } catch {
    // Without storage, the next import guesses again.
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Ignores stored values of another shape. */
function readStored(project: number): StoredMapping[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(project)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isStored) : []
  } catch {
    return []
  }
}

function isStored(value: Partial<StoredMapping> | null): value is StoredMapping {
  const areStrings = (values: unknown) =>
    Array.isArray(values) && values.every((one) => typeof one === 'string')
  return (
    areStrings(value?.header) &&
    areStrings(value?.mapping) &&
    value?.header?.length === value?.mapping?.length
  )
}
