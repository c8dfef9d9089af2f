import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { filesOf, root } from './tree.ts'

const standing = /^(Accepted|Superseded by \d{4}), (\d{4}-\d\d-\d\d)\.$/
const testPath = /`((?:src|test|console)\/[\w./-]+\.ts)`/g

/** The index of docs/decisions/. A decision without a date, or without a test that enforces it, is an error. */
export function decisionsPage(): string {
  const files = filesOf('docs/decisions').filter((file) => /\/\d{4}-[\w-]+\.md$/.test(file))
  const numbers = new Set(files.map((file) => basename(file).slice(0, 4)))
  const rows = files.toSorted().map((file) => rowOf(file, numbers))
  return `# Decisions

Each file states the context, the decision, its consequences, and the test that enforces it. A
decision that no longer applies remains, with the status \`Superseded by NNNN\`. Missing numbers
were never used.

| | Decision | Date | Status |
|---|---|---|---|
${rows.join('\n')}

<!-- Generated from the files in this folder by npm run generate. -->
`
}

function rowOf(file: string, numbers: Set<string>): string {
  const text = readFileSync(join(root, file), 'utf8')
  const [title = '', , status = ''] = text.split('\n')
  const [, kind, date] = standing.exec(status) ?? []
  if (kind === undefined)
    throw new Error(`${file}: line 3 must be a status and a date, such as "Accepted, 2027-01-31."`)
  const successor = /\d{4}/.exec(kind)?.[0]
  if (successor !== undefined && !numbers.has(successor))
    throw new Error(`${file} is superseded by ${successor}, which does not exist`)
  if (successor === undefined) requireTest(file, text)
  const name = basename(file)
  return `| [${name.slice(0, 4)}](${name}) | ${title.slice(2)} | ${date} | ${kind.toLowerCase()} |`
}

function requireTest(file: string, text: string): void {
  const paragraph = /^\*\*Enforced by\*\*.*?(?=\n\n|$(?![\s\S]))/ms.exec(text)?.[0] ?? ''
  const paths = [...paragraph.matchAll(testPath)].map(([, path = '']) => path)
  if (!paths.some((path) => existsSync(join(root, path))))
    throw new Error(
      `${file}: a paragraph that begins with "**Enforced by**" must name a test of the decision`,
    )
}
