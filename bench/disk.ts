import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import { raw, sql } from '../src/platform/database/sql.ts'
import { bodyOf, lines, push } from './bulk.ts'
import { serveCatalog } from './servers/served.ts'
import { onTemporaryDatabase } from './servers/temporary-database.ts'

/*
 * Bytes on disk per product, by table and index, after pushes of products with 8 attributes and 2 categories each:
 * npx node bench/disk.ts
 */
const pushes = 10
const actor = { name: 'bench' }

type Part = { table: string; part: string; bytes: number }

await onTemporaryDatabase(async (database, _connection, folder) => {
  const { id: project } = await createProject(database, actor, { name: 'Bench', plan: 'enterprise' })
  await changeProject(database, actor, project, { rateLimit: 'none' })
  const { token } = await issueToken(database, actor, project)
  const service = await serveCatalog(folder)
  for (let round = 0; round < pushes; round += 1) await push(service.url, token, bodyOf(round, 0), 'created')
  await service.stop()
  await database.query(raw('vacuum analyze'))
  // Free space maps and visibility maps are not counted; they take less than one byte per product.
  const parts = await database.query(sql<Part>`
    select relation.relname as "table", part.name as part, pg_relation_size(part.oid)::float8 / ${pushes * lines}::int as bytes
    from pg_class as relation cross join lateral (
      select relation.oid, 'rows' as name
      union all
      select oid, 'large values' from pg_class where oid = relation.reltoastrelid
      union all
      select indexrelid, indexrelid::regclass::text from pg_index where indrelid in (relation.oid, relation.reltoastrelid)
    ) as part
    where relation.relkind = 'r' and relation.relnamespace = current_schema()::regnamespace
    order by relation.relname collate "C", bytes desc`)
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = parts.filter(({ bytes }) => bytes >= 0.5)
  console.log('| Table | Part | Bytes per product |\n|---|---|---|')
  for (const { table, part, bytes } of rows) console.log(`| ${table} | ${part} | ${bytes.toFixed(0)} |`)
  console.log(`| all | all | ${total.toFixed(0)} |`)
})
