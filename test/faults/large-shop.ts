import { createProject } from '../../src/access/projects/manage-project.ts'
import { issueToken } from '../../src/access/tokens/manage-token.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'

const tester = { name: 'tester' }
const project = { name: 'Large', plan: 'enterprise', currency: 'EUR' }

export type LargeShop = { url: string; token: string; otherToken: string; ids: number[] }

/** A database with sixty products of nearly 1 MB each, and another project that has none. */
export async function createLargeShop(): Promise<LargeShop> {
  const connection = await ownDatabase('late')
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  const { id } = await createProject(database, tester, project)
  const { token } = await issueToken(database, tester, id, {})
  const other = await createProject(database, tester, { ...project, name: 'Other' })
  const { token: otherToken } = await issueToken(database, tester, other.id, {})
  const rows = await database.query(sql<{ id: number }>`
    insert into products (project_id, sku, name, search_text, status, product_type, attributes,
                          quality_score, quality_failed, quality_rules_version)
    select ${id}, 'L-' || n, 'Large', 'large' || chr(10) || 'l-' || n, 'active', 'simple',
           (select jsonb_object_agg('a' || a, repeat('x', 9300)) from generate_series(1, 100) as a), 50, array[]::text[], 1
    from generate_series(1, 60) as n returning id`)
  await database.close()
  return { url: connectionUrl(connection), token, otherToken, ids: rows.map((row) => row.id) }
}
