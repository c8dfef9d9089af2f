import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gibibyte, kibibyte, mebibyte } from '../src/platform/units.ts'
import { filesOf, root } from './tree.ts'

const files = [
  ...filesOf('src/platform/limits').sort(),
  ...filesOf('src/model/limits').sort(),
  'src/access/limits.ts',
  'src/catalog/limits.ts',
  'src/delivery/limits.ts',
  'src/operations/limits.ts',
  'src/agents/limits.ts',
  'src/cli/limits.ts',
]
const table = /\/\*\* ([^\n]+?) \*\/\nexport const (\w+) = \{\n(.*?)\n\}/gs
const entry = /\/\*\* ([^\n]+?) \*\/\n\s*(\w+):/g

export async function limitsTables(): Promise<string> {
  return (await Promise.all(files.map(tablesOf))).flat().join('\n')
}

/** One table per exported object. The comment before an entry describes it. */
async function tablesOf(file: string): Promise<string[]> {
  const tables = [...readFileSync(join(root, file), 'utf8').matchAll(table)]
  const exported: Record<string, Record<string, Value>> = await import(join(root, file))
  if (tables.length < Object.keys(exported).length) throw new Error(`${file}: each table needs a title`)
  return tables.map(([, title, name = '', text = '']) => {
    const meanings = new Map([...text.matchAll(entry)].map(([, meaning, limit]) => [limit, meaning]))
    const rows = Object.entries(exported[name] ?? {}).map(([limit, value]) => {
      const meaning = meanings.get(limit)
      if (meaning === undefined) throw new Error(`${file}: ${limit} needs a comment of one line`)
      const values = [value].flat().map((one) => formatLimit(limit, one))
      return `| ${meaning} | ${values.join(', ')} |`
    })
    return `## ${title}\n\n| Limit | Value |\n|---|---|\n${rows.join('\n')}\n`
  })
}

type Value = number | readonly number[]

const units: [ending: string, steps: [name: string, size: number][]][] = [
  ['Characters', [['characters', 1]]],
  [
    'Bytes',
    [
      ['GiB', gibibyte],
      ['MiB', mebibyte],
      ['KiB', kibibyte],
      ['bytes', 1],
    ],
  ],
  [
    'Milliseconds',
    [
      ['days', 86_400_000],
      ['hours', 3_600_000],
      ['minutes', 60_000],
      ['seconds', 1_000],
      ['ms', 1],
    ],
  ],
  [
    'Seconds',
    [
      ['days', 86_400],
      ['hours', 3_600],
      ['minutes', 60],
      ['seconds', 1],
    ],
  ],
  ['Hours', [['hours', 1]]],
  ['Days', [['days', 1]]],
]

/** Uses the unit at the end of the name, scaled to keep the number short. */
export function formatLimit(name: string, value: number): string {
  const steps = units.find(([ending]) => name.endsWith(ending))?.[1]
  const step = steps?.find(([, size]) => value >= size && (value * 4) % size === 0) ?? steps?.at(-1)
  const [unit, size] = step ?? ['', 1]
  const amount = value / size
  return `${amount.toLocaleString('en', { maximumFractionDigits: 4 })} ${amount === 1 ? unit.replace(/s$/, '') : unit}`.trim()
}
