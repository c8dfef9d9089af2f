import type { Mapping } from './mapping.ts'

const keyOf = (project: number) => `catalog-import-columns-${project}`
const mostKept = 20

type Kept = { header: string[]; mapping: string[] }

/** The mapping that was last used in this browser for a file with the same columns. */
export function storedMapping(project: number, header: readonly string[]): string[] | undefined {
  return readKept(project).find((kept) => isSame(kept.header, header))?.mapping
}

export function storeMapping(project: number, header: readonly string[], mapping: Mapping): void {
  const others = readKept(project).filter((kept) => !isSame(kept.header, header))
  const kept = [{ header, mapping }, ...others].slice(0, mostKept)
  try {
    localStorage.setItem(keyOf(project), JSON.stringify(kept))
  } catch {
    // A browser that keeps nothing guesses again the next time.
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** What somebody else may have written there is taken as far as it has the right shape. */
function readKept(project: number): Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(project)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(value: Partial<Kept> | null): value is Kept {
  const isTexts = (texts: unknown) => Array.isArray(texts) && texts.every((text) => typeof text === 'string')
  return isTexts(value?.header) && isTexts(value?.mapping) && value?.header?.length === value?.mapping?.length
}
