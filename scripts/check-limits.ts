import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf, root } from './tree.ts'

/** Literals that only one file may contain. */
const places = [
  {
    file: 'src/platform/database/sql-states.ts',
    spelled: /'(?:08|2[1-8]|3D|4[02]|5[3578]|XX)[0-9P]\d{2}'/g,
  },
  {
    file: 'src/platform/database/advisory-locks.ts',
    spelled: /\b4_?270_?\d{3}\b|advisory\w*_lock\w*\(\s*\d+/g,
  },
  { file: 'src/platform/http/closed.ts', spelled: /additionalProperties: false/g },
]

/** Limits belong in the tables that docs/limits.md lists. */
const limit = /^const (?:\w*(?:Seconds|Milliseconds)|max\w*Bytes) = \d[\d_ *\w]*$/gm

const sources = filesOf('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
for (const source of sources) {
  const text = readFileSync(join(root, source), 'utf8')
  for (const { file, spelled } of places)
    for (const [literal] of source === file ? [] : text.matchAll(spelled)) {
      console.error(`${source} contains ${literal}, which belongs in ${file}`)
      process.exitCode = 1
    }
  for (const [literal] of /\blimits(?:\/[\w-]+)?\.ts$/.test(source) ? [] : text.matchAll(limit)) {
    console.error(`${source} contains "${literal}", which belongs in a table of limits`)
    process.exitCode = 1
  }
}
