import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const folder = new URL('../docs/decisions/', import.meta.url)

/** As the index has it: number, title, date, status. */
function describe(file: string): string {
  const [title, , standing] = readFileSync(new URL(file, folder), 'utf8').split('\n')
  const [, status, date] = /^(Accepted|Superseded by \d{4}), (\d{4}-\d\d-\d\d)\.$/.exec(standing ?? '') ?? []
  return `| [${file.slice(0, 4)}](${file}) | ${title?.slice(2)} | ${date} | ${status?.toLowerCase()} |`
}

test('every decision has a date and a status, and stands in the index', () => {
  const files = readdirSync(folder).filter((name) => name !== 'README.md')
  const index = readFileSync(new URL('README.md', folder), 'utf8').split('\n')
  expect(index.filter((line) => line.startsWith('| ['))).toEqual(files.sort().map(describe))
})
