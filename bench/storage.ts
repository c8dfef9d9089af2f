import { fileURLToPath } from 'node:url'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import { raw, sql } from '../src/platform/database/sql.ts'
import { bodyOf, lines, push } from './bulk.ts'
import { describeStorage, type StorageRow } from './report.ts'
import { serveCatalog } from './served.ts'
import { onThrowAwayDatabase } from './throw-away.ts'

const pushes = 5
const actor = { name: 'bench' }

/** Bytes on disk of each table and index, by product, after pushes of new products with their first version. */
export async function measureStorage(): Promise<StorageRow[]> {
  const rows: StorageRow[] = []
  await onThrowAwayDatabase(async (database, _connection, folder) => {
    const { id: project } = await createProject(database, actor, { name: 'Bench', plan: 'enterprise' })
    await changeProject(database, actor, project, { rateLimit: 'none' })
    const { token } = await issueToken(database, actor, project)
    const service = await serveCatalog(folder)
    let sent = 0
    for (let round = 0; round < pushes; round += 1) {
      const body = bodyOf(round, 0)
      sent += body.length
      await push(service.url, token, body, 'created')
    }
    await service.stop()
    await database.query(raw('vacuum products'))
    const products = pushes * lines
    const relations = await database.query(sql<{ name: string; bytes: number }>`
      select relname as name, pg_relation_size(oid) + coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0) as bytes
      from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'i') order by 2 desc`)
    const all = relations.reduce((sum, { bytes }) => sum + bytes, 0)
    rows.push({ name: 'what was sent, as JSON', bytes: sent / products })
    rows.push({ name: 'all tables and indexes', bytes: all / products })
    for (const { name, bytes } of relations)
      if (bytes / products >= 1) rows.push({ name, bytes: bytes / products })
  })
  return rows
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(describeStorage(await measureStorage()))
