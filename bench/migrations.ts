import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../src/platform/database/database.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { thisRelease } from '../src/platform/database/migration/migration-file.ts'
import { sql } from '../src/platform/database/sql.ts'
import { fillProject } from './fill.ts'
import { onThrowAwayDatabase } from './throw-away.ts'

/*
 * How long writers wait while a large database is migrated:
 *   npx node bench/migrations.ts --from 0024 --products 1000000
 */

const { values: options } = parseArgs({
  options: {
    /** The number of the last migration that is there already. */
    from: { type: 'string', default: '0024' },
    products: { type: 'string', default: '1000000' },
  },
})
const writers = 4
const release = thisRelease()
const before = release.migrations.filter(({ name }) => name.slice(0, 4) <= (options.from as string))

/** As the release before writes: it knows none of the new columns. */
async function writeUntil(database: Database, project: number, isOver: () => boolean): Promise<number[]> {
  const waits: number[] = []
  for (let n = 1; !isOver(); n += 1) {
    const began = performance.now()
    await database.query(sql`
      update products set price = ${n % 1000}, updated_at = now(), version = version + 1
      where project_id = ${project} and id = (select id from products where project_id = ${project} offset ${n % 1000} limit 1)`)
    await database.query(sql`
      insert into products (project_id, sku, name, search_text, quality_score, quality_failed, quality_rules_version)
      values (${project}, gen_random_uuid(), 'Written meanwhile', 'written meanwhile', 50, '{}', 2)`)
    waits.push(performance.now() - began)
  }
  return waits
}

await onThrowAwayDatabase(
  async (database, connection) => {
    const migrator = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 0 })
    const [project] = await database.query(sql<{ id: number }>`
    insert into projects (name, plan, currency) values ('Migrated', 'pro', 'EUR') returning id`)
    const id = project?.id as number
    await fillProject(database, id, Number(options.products), false)
    console.log(`${options.products} products are there; ${writers} writers work while the rest is applied`)
    for (const [index, migration] of release.migrations.entries()) {
      if (index < before.length) continue
      let isOver = false
      const writing = Array.from({ length: writers }, () => writeUntil(database, id, () => isOver))
      const began = performance.now()
      await migrate(migrator, { release: { ...release, migrations: release.migrations.slice(0, index + 1) } })
      const took = performance.now() - began
      isOver = true
      const waits = (await Promise.all(writing)).flat()
      const longest = Math.max(...waits)
      console.log(
        `${migration.name}: ${took.toFixed(0)} ms; ${waits.length} writes meanwhile, the longest took ${longest.toFixed(0)} ms`,
      )
    }
    await migrator.close()
  },
  { ...release, migrations: before },
)
