import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filesOf, root } from './tree.ts'

const checkout = process.argv[2] ?? root
const longestLine = 100
const longestSubject = 72

/** Expressions that this project's texts avoid, and what to write instead. */
const avoided: { words: RegExp; write: string }[] = [
  { words: /\b(tells?|told)\b/i, write: 'returns, reports, shows, emits, notifies' },
  { words: /\bempty database of\b/i, write: 'loads it into an empty database' },
  { words: /\bby the clock\b/i, write: 'on a schedule' },
  { words: /\banew\b|\bonce more\b/i, write: 'again' },
  { words: /\bbeside\b/i, write: 'next to, in addition to, while … runs' },
  { words: /\b(it|they|which|that) (stands?|lies?)\b/i, write: 'is, exists, is stored in' },
  { words: /\bthere (is|are) not\b/i, write: 'does not exist' },
  { words: /\bwhole or not at all\b|\ball or (none|nothing)\b/i, write: 'atomic, atomically' },
  { words: /\bmoments?\b/i, write: 'a point in time, a snapshot, at the same time' },
  { words: /\b(whoever|somebody|nobody)\b/i, write: 'the user, a client, no one' },
  { words: /\bso (many|long)\b/i, write: 'that many, or the number and its unit' },
  { words: /\b(leaves?|left) (it |them )?alone\b/i, write: 'does not change' },
  { words: /\b(dear|dearest|cheap|cheaper|cheapest)\b/i, write: 'expensive, inexpensive' },
  { words: /\b(proves?|proven)\b|\bthat it holds\b/i, write: 'verifies, tests' },
  { words: /\banswer(s|ed|ing)?\b/i, write: 'response, returns' },
  { words: /\bfaults?\b/i, write: 'error (fault: only a part that fails)' },
  { words: /\bparked\b/i, write: 'failed delivery, dead-letter event' },
  { words: /\blanes?\b/i, write: 'partition' },
  { words: /\b(operator's|on a) desk\b/i, write: 'admin area, on desktop' },
  { words: /\b(mend|mends|mended|mending)\b/i, write: 'fix' },
  { words: /\b(texts|wish|wishes|verdicts?)\b/i, write: 'descriptions, content; requests; results' },
  { words: /\bas good as none\b/i, write: 'is ignored' },
  { words: /\bgoes before\b/i, write: 'takes precedence over' },
  { words: /\blends?\b/i, write: 'uses transaction pooling' },
  { words: /\btelephones?\b/i, write: 'on mobile' },
  { words: /\b(\d|requests|times|once|twice) an? (second|minute|hour|day)\b/i, write: 'per second' },
]

/** A fault is the right word where a part fails: a crash, a full disk, a lost connection. */
const allowed: { file: RegExp; words: RegExp }[] = [
  {
    file: /^(docs\/(reliability|cluster|cluster-results|architecture)|CONTRIBUTING)\.md$/,
    words: /^faults?$/i,
  },
]

const generatedOrForeign = new Set(['THIRD-PARTY-NOTICES.md'])
const markdown = [
  ...readdirSync(checkout).filter((name) => name.endsWith('.md') && !generatedOrForeign.has(name)),
  ...['docs', 'bench'].flatMap((folder) => filesOf(folder, checkout)).filter((name) => name.endsWith('.md')),
].sort()
const screens = filesOf('console', checkout).filter((name) => /(^|[/-])strings\.tsx?$/.test(name))

const components = filesOf('console', checkout).filter((name) => name.endsWith('.tsx'))

const errors = [
  ...markdown.flatMap((file) => [...wordingErrors(file, prose(read(file))), ...longLines(file)]),
  ...wordingErrors('docs/openapi.json', descriptions(JSON.parse(read('docs/openapi.json')))),
  ...screens.flatMap((file) => wordingErrors(file, literals(read(file)))),
  ...components.flatMap(labelErrors),
  ...longSubjects(),
]
for (const error of errors) console.error(error)
if (errors.length > 0) process.exitCode = 1

function read(file: string): string {
  return readFileSync(join(checkout, file), 'utf8')
}

function wordingErrors(file: string, lines: string[]): string[] {
  return lines.flatMap((line, index) =>
    avoided.flatMap(({ words, write }) => {
      const found = words.exec(line)?.[0]
      if (found === undefined || isAllowed(file, found)) return []
      return [`${place(file, index)} says "${found}" in "${line.trim()}": write ${write}`]
    }),
  )
}

function isAllowed(file: string, found: string): boolean {
  return allowed.some((entry) => entry.file.test(file) && entry.words.test(found))
}

/** Descriptions and string literals have no useful line number; their sentence shows where they are. */
function place(file: string, index: number): string {
  return file.endsWith('.md') ? `${file}:${index + 1}` : file
}

/** The lines of a document, without code, addresses and file names. */
function prose(text: string): string[] {
  let isCode = false
  return text.split('\n').map((line) => {
    if (line.trimStart().startsWith('```')) isCode = !isCode
    return isCode ? '' : line.replace(/`[^`]*`/g, '`…`').replace(/\]\([^)]*\)|<https?:[^>]*>/g, ']')
  })
}

function longLines(file: string): string[] {
  const lines = read(file).split('\n')
  const isExempt = /^\s*(\||!\[|#|\[[^\]]*\]:)/
  return prose(read(file)).flatMap((line, index) => {
    const length = lines[index]?.length ?? 0
    if (length <= longestLine || line === '' || isExempt.test(line)) return []
    return [`${file}:${index + 1} has ${length} characters: wrap at ${longestLine}`]
  })
}

/** Summaries, descriptions and titles of the OpenAPI document, without code. */
function descriptions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, child]) => {
    if (key === 'example' || key === 'examples' || key === 'default') return []
    if (typeof child !== 'string') return descriptions(child)
    return /^(summary|description|title)$/.test(key) ? prose(child) : []
  })
}

/** The quoted text of a source file, without comments. */
function literals(source: string): string[] {
  const quoted = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
  return [...source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').matchAll(quoted)].map(
    ([literal]) => literal,
  )
}

/** Biome finds text between tags; this finds it in attributes. A screen has all of its text in one file. */
function labelErrors(file: string): string[] {
  const label = /\b(?:aria-label|label|title|placeholder|description|alt|error)="[^"]*[a-z][^"]*"/g
  return [...read(file).matchAll(label)].map(
    ([found]) => `${file} contains ${found}: move the text to the strings of its screen`,
  )
}

/** Subjects of the commits since this check exists; a folder without a history has none. */
function longSubjects(): string[] {
  const added = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/check-wording.ts').at(-1)
  if (added === undefined) return []
  return git('log', '--no-merges', '--format=%s', `${added}..HEAD`)
    .filter((subject) => subject.length > longestSubject)
    .map((subject) => `the commit "${subject}" has a subject of more than ${longestSubject} characters`)
}

function git(...words: string[]): string[] {
  const { status, stdout } = spawnSync('git', ['-C', checkout, ...words], { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}
