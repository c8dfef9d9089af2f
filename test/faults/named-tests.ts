import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf, root } from '../../scripts/tree.ts'

const title = /['"`]fault (\d+): /g

/** The faults that each test file covers, from the test titles. */
export function findNamedTests(): Map<string, Set<number>> {
  const files = ['src', 'test']
    .flatMap((folder) => filesOf(folder))
    .filter((name) => name.endsWith('.test.ts'))
  const found = new Map<string, Set<number>>()
  for (const file of files.sort()) {
    const titles = readFileSync(join(root, file), 'utf8').matchAll(title)
    const numbers = new Set(Array.from(titles, ([, digits]) => Number(digits)))
    if (numbers.size > 0) found.set(file, numbers)
  }
  return found
}
