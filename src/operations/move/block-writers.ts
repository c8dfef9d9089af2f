import { queryableOf } from '../../platform/database/connections/connect.ts'
import type { ExclusiveLease } from '../../platform/database/embedded/exclusive-lease.ts'
import { thisRelease } from '../../platform/database/migration/migration-file.ts'
import { listTables } from '../backup/schema.sql.ts'
import { listSchemaNames } from '../backup/schema-names.ts'

/** A service that reconnects to this server has no lease; its writes would be lost after the copy. */
export async function blockWriters({ client }: ExclusiveLease): Promise<void> {
  const tables = await listTables(queryableOf(client), listSchemaNames(thisRelease().migrations))
  if (tables.length === 0) return
  await client.query("begin; set local lock_timeout = '30s'")
  const all = tables.map(({ identifier }) => identifier).join(', ')
  await client.query(`lock table ${all} in exclusive mode`).catch(async (error) => {
    await client.query('rollback')
    throw error
  })
}
