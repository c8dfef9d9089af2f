import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { filesOf, root } from './tree.ts'

/** This checkout, or the one in the argument. */
const checkout = process.argv[2] ?? root

/** Lowest floor first. The files in src/ itself, except the configuration, are the assembly. */
const floors = [
  'platform',
  'config.ts',
  'model',
  'access',
  'catalog',
  'delivery',
  'agents',
  'console-api',
  'operations',
  'assembly',
  'cli',
]

type Import = { from: string; to: string }

/** Includes imports for side effects, dynamic imports and workers started by URL. */
const imported =
  /(?:\bfrom|\bimport|\bnew URL)\s*\(?\s*(?:\/\*.*?\*\/\s*)?['"`](\.{1,2}\/[^'"`]+\.tsx?)['"`]/g

const imports: Import[] = filesOf('src', checkout)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .flatMap((from) =>
    [...readFileSync(join(checkout, from), 'utf8').matchAll(imported)].map(([, path]) => ({
      from,
      to: normalize(join(dirname(from), path as string)),
    })),
  )

function floorOf(file: string): number {
  const name = file.split('/')[1] as string
  if (name === 'config-settings.ts') return floors.indexOf('config.ts')
  return floors.indexOf(name.endsWith('.ts') && name !== 'config.ts' ? 'assembly' : name)
}

function isOnFloor(file: string): boolean {
  return file.startsWith('src/') && floorOf(file) !== -1
}

/** src/catalog/products/list/page-form.ts belongs to the noun src/catalog/products. */
function nounOf(file: string): string {
  return dirname(file).split('/').slice(0, 3).join('/')
}

/** Any folder may import the parts of the platform and of cli. A wing of a noun is private to the noun. */
function hasParts(file: string): boolean {
  return ['platform', 'cli'].includes(file.split('/')[1] as string)
}

function folderOf(file: string): string {
  if (!hasParts(file)) return dirname(file)
  return file.startsWith('src/cli/') ? 'src/cli' : nounOf(file)
}

const sideways = imports.filter(
  ({ from, to }) => floorOf(from) === floorOf(to) && folderOf(from) !== folderOf(to),
)
const next = new Map<string, Set<string>>()
for (const { from, to } of sideways)
  next.set(folderOf(from), (next.get(folderOf(from)) ?? new Set()).add(folderOf(to)))

function reaches(from: string, to: string, seen = new Set<string>()): boolean {
  return [...(next.get(from) ?? [])].some(
    (folder) => folder === to || (!seen.has(folder) && reaches(folder, to, seen.add(folder))),
  )
}

const rules: { says: string; breaks: (one: Import) => boolean }[] = [
  {
    says: `every import of src/ stays on its floors: ${floors.toReversed().join(', ')}`,
    breaks: ({ from, to }) => !isOnFloor(from) || !isOnFloor(to),
  },
  {
    says: `imports only go down: ${floors.toReversed().join(', ')}`,
    breaks: ({ from, to }) => floorOf(to) > floorOf(from),
  },
  {
    says: 'no two folders import each other, not even by way of others',
    breaks: (one) => sideways.includes(one) && reaches(folderOf(one.to), folderOf(one.from)),
  },
  {
    says: "no folder imports another folder's wing; what others need belongs to its core",
    breaks: ({ from, to }) =>
      !hasParts(to) &&
      floorOf(from) < floors.indexOf('assembly') &&
      nounOf(to) !== dirname(to) &&
      nounOf(from) !== nounOf(to),
  },
]

const faults = rules.flatMap(({ says, breaks }) =>
  imports.filter(breaks).map(({ from, to }) => `${from} imports ${to}: ${says}`),
)
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
