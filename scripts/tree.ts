import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))

/** Compares by code points, independent of the locale. */
export function compare(first: string, second: string): number {
  return first < second ? -1 : Number(first > second)
}

/** All files of a folder, as paths from the root of the checkout. */
export function filesOf(folder: string, checkout = root): string[] {
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(checkout, join(parentPath, name)))
}
