import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { filesOf, root } from './tree.ts'

type Rule = { says: string; breaks: (from: string[], to: string[]) => boolean }

const platform = new Set(['http', 'database', 'jobs'])
/** Files of src/ that the platform may know: values that the whole program shares. */
const shared = new Set(['config.ts', 'version.ts'])

/** Of paths below src/, split at their slashes. Folders are found, not listed: a noun or wing that is added obeys at once. */
const rules: Rule[] = [
  {
    says: 'the platform imports no noun; the caller hands it down as a value',
    breaks: ([from = ''], [to = '']) => platform.has(from) && !platform.has(to) && !shared.has(to),
  },
  {
    says: 'the core of a noun imports no wing; what several wings need belongs to the core',
    breaks: (from, to) => isNoun(from) && from[0] === to[0] && from.length === 2 && to.length > 2,
  },
  {
    says: 'a wing imports the core of its noun and no other wing',
    breaks: (from, to) =>
      isNoun(from) && from[0] === to[0] && from.length > 2 && to.length > 2 && from[1] !== to[1],
  },
]

/** Commands, checks and demo data are no nouns: their folders have parts, not wings. */
function isNoun([folder = '']: string[]): boolean {
  return !platform.has(folder) && !['cli', 'demo', 'doctor'].includes(folder)
}

const imported = /(?:from|import\()\s*'(\.{1,2}\/[^']+\.ts)'/g

const faults = filesOf('src')
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(imported)].flatMap(([, path]) => {
      const target = normalize(join(dirname(file), path as string))
      const [from, to] = [file, target].map((one) => one.split('/').slice(1)) as [string[], string[]]
      return rules
        .filter(({ breaks }) => breaks(from, to))
        .map(({ says }) => `${file} imports ${target}: ${says}`)
    }),
  )
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
