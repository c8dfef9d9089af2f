import { applicationName } from '../../platform/database/connections/open-pool.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import type { SavedSequence } from './manifest.ts'

export type StoredTable = {
  name: string
  /** Quoted for use in a statement. */
  identifier: string
  columns: string[]
  /** Other tables that its foreign keys reference. */
  references: string[]
  isUnlogged: boolean
}

/** Lists the tables with these names in the current schema. */
export function listTables(database: Queryable, names: string[]): Promise<StoredTable[]> {
  return database.query(sql<StoredTable>`
    select relname as name, relation.oid::regclass::text as identifier, relpersistence = 'u' as "isUnlogged",
           array(select quote_ident(attname) from pg_attribute
                 where attrelid = relation.oid and attnum > 0 and not attisdropped and attgenerated = ''
                 order by attnum) as columns,
           array(select distinct target.relname::text from pg_constraint
                 join pg_class as target on target.oid = confrelid
                 where conrelid = relation.oid and contype = 'f' and confrelid <> conrelid) as references
    from pg_class as relation
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname = any(${names}::text[])
    order by relname collate "C"`)
}

/** Blocks all other reads and writes until the transaction ends. */
export async function lockTables(database: Queryable, tables: StoredTable[]): Promise<void> {
  const identifiers = tables.map(({ identifier }) => identifier).join(', ')
  await database.query(sql`lock table ${raw(identifiers)} in access exclusive mode`)
}

/** Lists sequences with these names and sequences of columns of these tables. */
export async function listSequences(database: Queryable, names: string[]): Promise<string[]> {
  const rows = await database.query(sql<{ name: string }>`
    select sequence.oid::regclass::text as name from pg_class as sequence
    left join pg_depend on classid = 'pg_class'::regclass and objid = sequence.oid and deptype in ('i', 'a')
      and refclassid = 'pg_class'::regclass and refobjsubid > 0
    left join pg_class as owner on owner.oid = refobjid
    where sequence.relnamespace = current_schema()::regnamespace and sequence.relkind = 'S'
      and coalesce(owner.relname, sequence.relname) = any(${names}::text[])
    order by sequence.relname collate "C"`)
  return rows.map(({ name }) => name)
}

/** Sequences ignore snapshots. Read after all rows, the value is ahead of every saved row. */
export async function readSequence(database: Queryable, identifier: string): Promise<SavedSequence> {
  const [row] = await database.query(sql<{ last_value: string; is_called: boolean }>`
    select last_value::text, is_called from ${raw(identifier)}`)
  return { name: identifier, last_value: Number(row?.last_value), is_called: row?.is_called === true }
}

export async function setSequence(
  database: Queryable,
  { name, last_value, is_called }: SavedSequence,
): Promise<void> {
  await database.query(sql`select setval(${name}::regclass, ${last_value}::bigint, ${is_called}::boolean)`)
}

/** Lists indexes that only serve reads. Foreign keys need the indexes of constraints. */
export function listSecondaryIndexes(
  database: Queryable,
  names: string[],
): Promise<{ identifier: string; definition: string }[]> {
  return database.query(sql<{ identifier: string; definition: string }>`
    select indexrelid::regclass::text as identifier, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class as relation on relation.oid = indrelid
    where relation.relnamespace = current_schema()::regnamespace and relation.relname = any(${names}::text[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by relation.relname collate "C", indexrelid`)
}

/** Lists objects with these names by kind, in the order in which they can be dropped. */
export function listObjects(
  database: Queryable,
  names: string[],
): Promise<{ kind: string; identifiers: string }[]> {
  return database.query(sql<{ kind: string; identifiers: string }>`
    with own (kind, place, identifier) as (
      select case relkind when 'v' then 'view' when 'r' then 'table' else 'sequence' end,
             case relkind when 'v' then 1 when 'r' then 2 else 5 end, oid::regclass::text
      from pg_class
      where relnamespace = current_schema()::regnamespace and relname = any(${names}::text[]) and relkind in ('v', 'r', 'S')
      union all
      -- Functions with a row argument are dropped before the table, all others after the triggers that call them.
      select 'function', case when exists (
          select from unnest(proargtypes) as argument join pg_type as type on type.oid = argument where type.typtype = 'c'
        ) then 0 else 3 end, oid::regprocedure::text from pg_proc
      where pronamespace = current_schema()::regnamespace and proname = any(${names}::text[])
      union all
      select 'type', 4, type.oid::regtype::text from pg_type as type
      left join pg_class as relation on relation.oid = typrelid
      where typnamespace = current_schema()::regnamespace and typname = any(${names}::text[])
        and (typtype in ('d', 'e') or relkind = 'c')
    )
    select kind, string_agg(identifier, ', ') as identifiers from own group by kind, place order by place`)
}

/** Finds a project or a user. A database without both is empty: nothing can be lost. */
export async function findOwner(database: Queryable): Promise<string | undefined> {
  const tables = await listTables(database, ['projects', 'users'])
  for (const { name } of tables) {
    const [row] = await database.query(
      name === 'projects'
        ? sql<{ name: string }>`select name from projects limit 1`
        : sql<{ name: string }>`select email as name from users limit 1`,
    )
    if (row !== undefined) return `the ${name === 'projects' ? 'project' : 'user'} "${row.name}"`
  }
  return undefined
}

/** Whether a service or command is connected, as far as this user can see. */
export async function isUsed(database: Queryable): Promise<boolean> {
  const [row] = await database.query(sql<{ used: boolean }>`
    select exists (
      select from pg_stat_activity where datname = current_database() and starts_with(application_name, ${applicationName})
    ) as used`)
  return row?.used === true
}

/** The start time of the transaction and the server version. */
export async function readServerFacts(
  database: Queryable,
): Promise<{ taken_at: string; server_version: string }> {
  const [row] = await database.query(sql<{ taken_at: string; server_version: string }>`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as taken_at,
           current_setting('server_version') as server_version`)
  return row as { taken_at: string; server_version: string }
}
