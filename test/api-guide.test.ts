import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabase } from '../src/database/database.ts'
import { migrate } from '../src/database/migrate.ts'
import { raw } from '../src/database/sql.ts'
import { makeDemo } from '../src/demo/make-demo.ts'
import { problems } from '../src/http/problems.ts'
import { ProductQuerySchema } from '../src/products/product.schema.ts'
import { readExamples } from './api-guide.ts'
import { startTestService, type TestService } from './harness.ts'
import { inDatabase } from './test-database.ts'

// The demo shop in a database of its own, so that its ids and counts are those of a first start.
const examples = readExamples('api.md')
const guide = readFileSync(new URL('../docs/api.md', import.meta.url), 'utf8')
const name = `catalog_guide_${process.pid}`
const connection = inDatabase(inject('connection'), name)
let service: TestService
let token: string

beforeAll(async () => {
  const admin = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 0 })
  await admin.query(raw(`create database ${name}`))
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  await migrate(database)
  token = (await makeDemo(database))?.token ?? ''
  await database.close()
  afterAll(async () => {
    await admin.query(raw(`drop database ${name} with (force)`))
    await admin.close()
  })
  service = await startTestService({}, connection)
})

// One after the other: some build on what an earlier one wrote, as a reader would.
test.each(examples.map((example, index) => [`${index + 1}. ${example.title}`, example] as const))(
  'the example %s answers what the guide says',
  async (_title, example) => {
    const { method, path, headers, body, status, answer } = example
    const type = { ...(body !== undefined && { 'content-type': 'application/json' }) }
    const response = await service.call(path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      body,
    })
    expect([response.status, response.body]).toMatchObject([status, answer])
  },
)

test('the guide has an example for every parameter of the product list', () => {
  const used = examples.map(({ path }) => path.replaceAll('%5B', '[')).join('\n')
  const parameters = Object.entries(ProductQuerySchema.properties).flatMap(([parameter, schema]) => [
    parameter,
    ...((schema as { 'x-aliases'?: string[] })['x-aliases'] ?? []),
  ])
  const endings = ['__in', '__icontains', '__isnull', '__gte', '__lte'].map(
    (ending) => new RegExp(`attributes\\w+${ending}=`),
  )
  expect(parameters.filter((parameter) => !new RegExp(`[?&]${parameter}(__|\\[|=)`).test(used))).toEqual([])
  expect(endings.filter((ending) => !ending.test(used))).toEqual([])
})

test('the guide tells of every error', () => {
  expect(Object.keys(problems).filter((code) => !guide.includes(code))).toEqual([])
})
