import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from './setup/temporary-folder.ts'

const screenStrings = ['console', 'products', 'strings.ts'].join('/')
const script = fileURLToPath(new URL('../scripts/check-wording.ts', import.meta.url))

/** The output of the check for a checkout with these files. */
function check(files: Record<string, string>, prepare: (folder: string) => void = () => {}): string[] {
  const folder = temporaryFolder()
  const all = { 'docs/openapi.json': '{}', 'bench/RESULTS.md': '', 'console/main.tsx': '', ...files }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  prepare(folder)
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  const errors = stderr.split('\n').filter((line) => line !== '')
  expect(status).toBe(errors.length > 0 ? 1 : 0)
  return errors
}

test('avoided words are found in documents, API descriptions and console strings, with what to write', () => {
  const errors = check({
    'README.md': 'Fine.\n\nThe service tells the client.',
    'docs/openapi.json': JSON.stringify({ info: { description: 'Runs by the clock.' } }),
    [screenStrings]: `export const strings = { title: 'Start anew' }`,
  })
  expect(errors).toEqual([
    expect.stringMatching(/^README\.md:3 says "tells" .*: write returns/),
    expect.stringMatching(/^docs\/openapi\.json says "by the clock" .*: write on a schedule/),
    expect.stringMatching(/^\S+strings\.ts says "anew" .*: write again/),
  ])
})

test('code, addresses and examples may contain any word', () => {
  const errors = check({
    'README.md': 'Run as `nobody`, see [details](docs/api.md#answers).\n\n```sh\ncatalog tell --anew\n```',
    'docs/openapi.json': JSON.stringify({ schema: { example: { description: 'A desk, told anew' } } }),
    [screenStrings]: `// told anew\nexport const strings = { title: 'Products' }`,
  })
  expect(errors).toEqual([])
})

test('labels in the attributes of a component are found', () => {
  const errors = check({ 'console/main.tsx': '<Button aria-label="Close" className="wide" />' })
  expect(errors).toEqual([
    'console/main.tsx contains aria-label="Close": move the text to the strings of its screen',
  ])
})

test('lines of more than 100 characters are found, except in tables, headings, pictures and code', () => {
  const long = 'word '.repeat(25)
  const errors = check({
    'docs/api.md': `${long}\n\n| ${long} |\n\n# ${long}\n\n![${long}](a.png)\n\n\`\`\`\n${long}\n\`\`\``,
  })
  expect(errors).toEqual(['docs/api.md:1 has 125 characters: wrap at 100'])
})

test('commit subjects of more than 72 characters are found, but not those from before the check', () => {
  const subjectOfLength = (length: number) => 'Subject '.padEnd(length, 'x')
  const errors = check({ 'README.md': 'Fine.' }, (folder) => {
    const git = (...words: string[]) => expect(spawnSync('git', words, { cwd: folder }).status).toBe(0)
    const commit = (subject: string) =>
      git(...['-c', 'user.name=Test', '-c', 'user.email=test@shop.example'], ...['commit', '-qm', subject])
    git('init', '-q')
    git('add', 'README.md')
    commit(subjectOfLength(90))
    for (const [index, length] of [80, 72, 73].entries()) {
      const file = index === 0 ? 'scripts/check-wording.ts' : `file-${index}.txt`
      mkdirSync(join(folder, 'scripts'), { recursive: true })
      writeFileSync(join(folder, file), '')
      git('add', file)
      commit(subjectOfLength(length))
    }
  })
  expect(errors).toEqual([`the commit "${subjectOfLength(73)}" has a subject of more than 72 characters`])
})
