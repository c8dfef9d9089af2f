import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../../test/database/test-database.ts'
import * as processes from '../../../../test/processes/catalog-process.ts'
import { commandRunner } from '../../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'

const url = { DATABASE_URL: connectionUrl(inject('connection')) }
const { catalog, catalogJson } = commandRunner(url)
let project: string
beforeAll(async () => {
  project = String((await catalogJson(['project', 'create', '--name', 'Prompts'])).id)
})

const prompt = (...args: string[]) => ['prompt', ...args, '--project', project]
const create = (name: string, text: string) => catalogJson(prompt('create', '--name', name, '--text', text))

test('a prompt is created, gets versions, and is listed', async () => {
  const made = await create(' Titles ', 'Title for {{name}}')
  expect(made).toMatchObject({ name: 'Titles', latest_version: '1.0.0', variables: ['name'], labels: {} })
  const id = String(made.id)
  const added = await catalogJson(
    prompt(
      'add-version',
      id,
      '--text',
      'Short title for {{name}}',
      '--bump',
      'major',
      '--message',
      'Shorter',
    ),
    url,
  )
  expect(added).toMatchObject({ version_number: '2.0.0', message: 'Shorter', actor: 'command line' })
  const given = prompt('add-version', id, '--text', 'Third', '--version-number', '2.5.0')
  expect(await catalogJson(given)).toMatchObject({ version_number: '2.5.0' })
  const again = await catalog([...given, '--json'])
  expect(JSON.parse(again.stdout)).toMatchObject({ version_number: '2.5.0' })
  expect(again.stderr).toContain('no version was added')
  const listed = await catalogJson(prompt('list', '--search', 'TITLES'))
  expect(listed).toEqual([expect.objectContaining({ id: made.id, latest_version: '2.5.0' })])
  const table = await catalog(prompt('list'))
  expect(table.stdout.split('\n')[0]).toMatch(/^id +name +latest_version +labels /)
})

test('the text is read from a file or standard input without changes', async () => {
  const file = join(temporaryFolder(), 'text.txt')
  writeFileSync(file, 'From a file ü\n')
  const made = await catalogJson(prompt('create', '--name', 'File', '--file', file))
  const args = [...prompt('add-version', String(made.id), '--file', '-'), '--json']
  const { stdout } = await processes.catalog(args, url, 'From standard input\n')
  expect(JSON.parse(stdout)).toMatchObject({
    version_number: '1.1.0',
    prompt_text: 'From standard input\n',
  })
})

describe('the diff', () => {
  let id: string
  beforeAll(async () => {
    id = String((await create('Diff', 'Same\nOld {{brand}}\u001b[2J')).id)
    await catalogJson(prompt('add-version', id, '--text', 'Same\nNew {{color}}'))
  })

  test('is what the API returns with --json', async () => {
    const diff = await catalogJson(prompt('diff', id))
    expect(diff).toMatchObject({
      from: '1.0.0',
      to: '1.1.0',
      variables: { added: ['color'], removed: ['brand'] },
    })
  })

  test('is a unified diff, without color and escape sequences if there is no terminal', async () => {
    const { stdout } = await catalog(prompt('diff', id, '--from', '1.0.0', '--to', '1.1.0'))
    expect(stdout).toBe(
      [
        '--- 1.0.0',
        '+++ 1.1.0',
        '@@ -1,2 +1,2 @@',
        ' Same',
        '-Old {{brand}}\\u001b[2J',
        '+New {{color}}',
        '',
        'variables: +color -brand',
        '',
      ].join('\n'),
    )
  })

  test('is colored on request, and not if NO_COLOR is set', async () => {
    const wanted = await catalog(prompt('diff', id), { ...url, FORCE_COLOR: '1' })
    expect(wanted.stdout).toContain('\u001b[32m+New {{color}}\u001b[39m')
    expect(wanted.stdout).toContain('\u001b[31m-Old')
    const refused = await catalog(prompt('diff', id), { ...url, NO_COLOR: '1' })
    expect(refused.stdout).not.toContain('\u001b')
  })
})

describe('invalid input is an error with a clear message and a non-zero exit code', () => {
  let id: string
  beforeAll(async () => {
    id = String((await create('Mistakes', 'T')).id)
  })

  test.each([
    [['create', '--name', 'x'], 'use --text or --file'],
    [['create', '--name', 'x', '--text', 'a', '--file', 'b'], 'not both'],
    [['create', '--name', 'x', '--text', ''], 'prompt_text must not be empty'],
    [['create', '--name', ' ', '--text', 'a'], 'name must not be empty'],
    [['create', '--name', 'Mistakes', '--text', 'a'], 'The name "Mistakes" belongs to prompt'],
    [['create', '--name', 'x', '--file', '/no/such/file'], 'cannot read /no/such/file'],
    [['create', '--name', 'x', '--file', process.execPath], 'must be UTF-8 text'],
    [['add-version', 'ID', '--text', 'a', '--version-number', '1.0.0'], 'the next version would be 1.1.0'],
    [['add-version', 'ID', '--text', 'a', '--bump', 'huge'], 'major, minor, patch'],
    [['add-version', 'ID', '--text', 'a', '--bump', 'major', '--version-number', '3.0.0'], 'one of them'],
    [['add-version', '987654321', '--text', 'a'], 'There is no prompt 987654321'],
    [['diff', 'ID', '--from', '7.0.0'], 'There is no version 7.0.0'],
    [['diff', 'ID', '--from', 'x'], 'from must be three numbers'],
    [['diff', 'abc'], 'whole number'],
  ])('catalog prompt %j', async (args, message) => {
    const [verb = '', ...rest] = args.map((part) => (part === 'ID' ? id : part))
    const { code, stdout, stderr } = await catalog(prompt(verb, ...rest))
    expect(code).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/at .*\.ts:\d+/)
  })

  test('a project that does not exist', async () => {
    const args = ['create', '--name', 'x', '--text', 'a', '--project', '987654321']
    expect((await catalog(['prompt', ...args])).stderr).toContain('no project 987654321')
  })
})

test.each(['create', 'list', 'add-version', 'diff'])(
  'catalog prompt %s --help shows an example',
  async (verb) => {
    const { code, stdout } = await catalog(['prompt', verb, '--help'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Examples?:\n {2}catalog prompt /)
  },
)
