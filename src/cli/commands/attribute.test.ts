import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let project: string
beforeAll(async () => {
  project = String((await catalogJson(['project', 'create', '--name', 'Attributes'])).id)
})

const attribute = (...args: string[]) => ['attribute', ...args, '--project', project]
const file = (name: string, content: string) => {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}

test('definitions are suggested from products, set from a file, listed and used by an import', async () => {
  const lines = Array.from({ length: 10 }, (_, index) => `A-${index},A,${index % 2 ? 'Red' : 'Green'}`)
  await catalogJson([
    'import',
    file('a.csv', `sku,name,attributes.color\n${lines.join('\n')}\n`),
    '--project',
    project,
  ])
  const suggested = await catalogJson(attribute('suggest'))
  expect(suggested).toMatchObject({
    attributes: [{ name: 'color', type: 'choice', allowed: ['Green', 'Red'] }],
  })
  expect((await catalog(attribute('suggest'))).stdout).toMatch(/^name .*\ncolor +10 +2 +choice/)
  const set = attribute('set', file('set.json', JSON.stringify(suggested)))
  expect(await catalogJson([...set, '--dry-run'])).toMatchObject({ created: 1, ruleset: 0, dry_run: true })
  expect(await catalogJson(set)).toMatchObject({ created: 1, ruleset: 1, dry_run: false })
  expect(await catalogJson(attribute('list'))).toEqual(suggested)

  const pink = file('pink.csv', 'sku,name,attributes.color\nP-1,P,Pink\n')
  const warned = await catalog(['import', pink, '--project', project, '--json'])
  expect([warned.code, JSON.parse(warned.stdout).created]).toEqual([0, 1])
  expect(warned.stderr).toContain(
    'line 2: warning: /attributes/color must be one of Green, Red (not_allowed)',
  )
  const enforced = JSON.stringify(suggested).replace('"warn"', '"enforce"')
  await catalogJson(attribute('set', file('enforced.json', enforced)))
  const refused = await catalog(['import', pink, '--project', project, '--json'])
  expect([refused.code, JSON.parse(refused.stdout).rejected]).toEqual([1, 1])
})

test('an invalid definitions file is rejected with its errors', async () => {
  const broken = await catalog(attribute('set', file('broken.json', '{')))
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('the file is not valid JSON')])
  const wrong = file('wrong.json', '{"attributes": [{"name": "x", "type": "choice"}]}')
  expect((await catalog(attribute('set', wrong))).stderr).toContain('attributes/0/allowed is required')
})
