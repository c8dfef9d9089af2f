import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../', import.meta.url))

/** Orders by code points, whatever the language of the machine. */
export function compare(first: string, second: string): number {
  return first < second ? -1 : Number(first > second)
}

/** All files of a folder of a checkout, as paths from its root. */
export function filesOf(folder: string, checkout = root): string[] {
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(checkout, join(parentPath, name)))
}
