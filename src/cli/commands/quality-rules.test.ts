import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { connectionUrl } from '../../../test/database/test-database.ts'
import { commandRunner } from '../../../test/processes/command-runner.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'

const { catalog, catalogJson } = commandRunner({ DATABASE_URL: connectionUrl(inject('connection')) })
let project: string
beforeAll(async () => {
  project = String((await catalogJson(['project', 'create', '--name', 'Rules'])).id)
})

const rules = (...args: string[]) => ['quality-rules', ...args, '--project', project]

function fileOf(content: unknown): string {
  const file = join(temporaryFolder(), 'rules.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

test('rules are shown, previewed and set; the shown rules can be set again', async () => {
  const products = join(temporaryFolder(), 'products.ndjson')
  writeFileSync(products, '{"sku": "FREE", "name": "Free"}\n{"sku": "DEAR", "name": "Dear", "price": 5}\n')
  await catalogJson(['import', products, '--project', project])
  const shown = await catalogJson(rules('show'))
  expect(shown).toMatchObject({ ruleset: 0, progress: null })
  expect((await catalog(rules('show'))).stdout).toMatch(
    /ruleset +0\nscored +all\ncode +kind +points +message\nname_length /,
  )

  const file = fileOf({ rules: [{ code: 'priced', kind: 'price_present', points: 1 }] })
  expect(await catalogJson(rules('preview', file))).toMatchObject({
    looked_at: 2,
    average: { after: 50 },
    rules: [{ code: 'priced', failed: 1 }],
    changes: [
      { sku: 'DEAR', after: 100 },
      { sku: 'FREE', after: 0 },
    ],
  })
  expect((await catalog(rules('preview', file))).stdout).toMatch(/average_after +50\n/)
  expect(await catalogJson(rules('set', file))).toMatchObject({ ruleset: 1, rules: [{ code: 'priced' }] })
  expect(await catalogJson(rules('set', fileOf(shown)))).toMatchObject({ ruleset: 2, rules: shown.rules })
  await catalogJson(rules('set', file))
  expect(await catalogJson(rules('reset'))).toMatchObject({ ruleset: 4, rules: shown.rules })
})

test.each([
  ['{', /is not valid JSON/],
  ['{"rule": []}', /rules is required/],
  [
    '{"rules": [{"code": "a", "kind": "text_case", "points": 1}]}',
    /rules\/0\/field is required for the kind text_case/,
  ],
])('a file with %s is refused with the reason', async (content, reason) => {
  const { code, stderr } = await catalog(rules('set', fileOf(content)))
  expect(code).toBe(1)
  expect(stderr).toMatch(reason)
})
