import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { connectionUrl, ownDatabase } from '../../../test/database/test-database.ts'
import { catalogJson, serve } from '../../../test/processes/catalog-process.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { createProject } from '../../access/projects/manage-project.ts'
import { issueToken } from '../../access/tokens/manage-token.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { raw } from '../../platform/database/sql.ts'

const hook = fileURLToPath(new URL('../../../test/added-field.ts', import.meta.url))

// biome-ignore lint/suspicious/noExplicitAny: the test reads answers of several shapes
type Call = (method: string, path: string, body?: object) => Promise<any>

/** A service with one more field in its table, on a database with one more column. */
async function serveAddedField() {
  const connection = await ownDatabase('field')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  onTestFinished(database.close)
  await database.query(raw(`alter table products add column maker text not null default ''`))
  const program = { DATABASE_URL: connectionUrl(connection), NODE_OPTIONS: `--import=${hook}` }
  const { url } = await serve([], program)

  async function openShop() {
    const { id: project } = await createProject(
      database,
      { name: 'tester' },
      {
        name: 'Shop',
        plan: 'enterprise',
        currency: 'EUR',
      },
    )
    const { token } = await issueToken(database, { name: 'tester' }, project, {})
    const call: Call = async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const answer = await fetch(`${url}/v2${path}`, sent)
      expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true)
      return answer.headers.get('content-type')?.includes('json') ? answer.json() : answer.text()
    }
    return { project: String(project), call }
  }
  return { url, program, openShop }
}

test('a field that is added to the table is found in create, patch, put, push, detail, history, as_of, files and the document', async () => {
  const { url, program, openShop } = await serveAddedField()
  const { call } = await openShop()

  const made = await call('POST', '/products', { sku: 'A', name: 'A', maker: 'Acme' })
  expect(made).toMatchObject({ version: 1, maker: 'Acme' })
  expect(await call('POST', '/products', { sku: 'B', name: 'B' })).toMatchObject({ maker: '' })

  const at = `/products/${made.id}`
  expect(await call('PATCH', at, { maker: 'Bolt' })).toMatchObject({ version: 2, maker: 'Bolt' })
  expect(await call('PATCH', at, { inventory: { quantity: 3 }, maker: 'Cog' })).toMatchObject({
    maker: 'Cog',
  })
  expect(await call('PUT', at, { sku: 'A', name: 'A' })).toMatchObject({ version: 4, maker: '' })
  const lines = [
    { sku: 'A', maker: 'Dyn' },
    { sku: 'A', maker: 'Dyn' },
    { sku: 'C', name: 'C', maker: 'Dyn' },
    { sku: 'B', name: 'Named' },
  ]
  const { results } = await call('POST', '/products/bulk', lines)
  expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'updated',
    'unchanged',
    'created',
    'updated',
  ])
  const bySku = await call('PUT', '/products/by-sku/D', { name: 'D', maker: 'Erg' })

  expect(await call('GET', at)).toMatchObject({ version: 5, maker: 'Dyn' })
  const listed = await call('GET', '/products?expand=detail')
  expect(listed.results.map(({ maker }: { maker: string }) => maker)).toEqual(['Dyn', '', 'Dyn', 'Erg'])
  const history = await call('GET', `${at}/history`)
  expect(history.results.map(({ after }: { after: { maker: string } }) => after.maker)).toEqual([
    'Dyn',
    '',
    'Cog',
    'Bolt',
    'Acme',
  ])
  expect(history.results[0]).toMatchObject({ before: { maker: '' }, after: { maker: 'Dyn' } })
  expect(await call('GET', `${at}?as_of=${made.updated_at}`)).toMatchObject({ version: 1, maker: 'Acme' })

  const file = join(temporaryFolder(), 'products.csv')
  writeFileSync(file, await call('GET', '/products/export?format=csv'))
  expect(readFileSync(file, 'utf8').split('\n')[0]).toMatch(/^sku,name,.*,maker,price,/)
  const other = await openShop()
  expect(await catalogJson(['import', file, '--project', other.project], program)).toMatchObject({
    created: 4,
  })
  expect(await other.call('GET', '/products/by-sku/D')).toMatchObject({ maker: 'Erg', name: bySku.name })

  const { components } = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
  for (const name of [
    'ProductCreate',
    'ProductPut',
    'ProductPatch',
    'ProductPush',
    'ProductDetail',
    'ListedProduct',
  ])
    expect(components.schemas[name].properties, name).toHaveProperty('maker')
})
