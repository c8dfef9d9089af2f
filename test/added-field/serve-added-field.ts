import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { createProject } from '../../src/access/projects/manage-project.ts'
import { issueToken } from '../../src/access/tokens/manage-token.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { raw } from '../../src/platform/database/sql.ts'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'
import { serve } from '../processes/catalog-process.ts'
import { whenFileEnds } from '../setup/file-end.ts'

const hook = fileURLToPath(new URL('./add-field.ts', import.meta.url))
const tester = { name: 'tester' }

// biome-ignore lint/suspicious/noExplicitAny: responses have several shapes
type Call = (method: string, path: string, body?: object) => Promise<any>

/** A service with one more field in its table, on a database with one more column, until the end of the file. */
export async function serveAddedField() {
  const connection = await ownDatabase('field')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
  whenFileEnds(database.close)
  await database.query(raw(`alter table products add column maker text not null default ''`))
  const program = { DATABASE_URL: connectionUrl(connection), NODE_OPTIONS: `--import=${hook}` }
  const { url } = await serve([], program, whenFileEnds)

  async function openShop() {
    const shop = { name: 'Shop', plan: 'enterprise', currency: 'EUR' } as const
    const { id: project } = await createProject(database, tester, shop)
    const { token } = await issueToken(database, tester, project, {})
    const call: Call = async (method, path, body) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      }
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await fetch(`${url}/v2${path}`, sent)
      expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true)
      return response.headers.get('content-type')?.includes('json') ? response.json() : response.text()
    }
    return { project: Number(project), call }
  }
  return { url, database, program, openShop }
}
