import { afterAll, expect, inject, test } from 'vitest'
import { openDatabase } from './database.ts'
import { sql } from './sql.ts'

const database = openDatabase({ connection: inject('connection'), poolSize: 1, statementTimeoutSeconds: 10 })
afterAll(() => database.close())

/** Keys that do not begin with project_id, and why they may. */
const exceptions: Record<string, string> = {
  jobs_pkey: 'the operator names a job by its number alone',
  tokens_pkey: 'the operator names a token by its number alone',
  memberships_user_id_fkey: 'a person may belong to many projects',
  member_invitations_secret_hash_key: 'an invitation is looked up before its project is known',
  member_invitations_inviter_id_fkey: 'a person may invite to many projects',
  notifications_pkey: 'a person reads the notifications of all projects in one list',
  notifications_user_id_fkey: 'a notification may concern the account',
  ai_providers_offer_fkey: 'the operator offers a provider to many projects',
  saved_views_user_id_fkey: 'a person has views in many projects',
  access_requests_pkey: 'the operator names a request by its number alone',
  audit_entries_pkey: 'an act of an operator may concern no project',
  tokens_hash_key: 'a token is looked up before its project is known',
}

test('every key of a table with project_id begins with it, so that the schema can be distributed by project', async () => {
  const keys = await database.query(sql<{ table: string; key: string; first: string }>`
    select relation.relname as "table", con.conname as key, attribute.attname as first
    from pg_constraint as con
    join pg_class as relation on relation.oid = con.conrelid
    join pg_attribute as attribute on attribute.attrelid = con.conrelid and attribute.attnum = con.conkey[1]
    where con.contype in ('p', 'u', 'f')
      and con.connamespace = 'public'::regnamespace
      and exists (select from pg_attribute as a where a.attrelid = con.conrelid and a.attname = 'project_id')`)
  const wrong = keys.filter(({ first, key }) => first !== 'project_id' && exceptions[key] === undefined)
  expect(wrong).toEqual([])
  expect(keys.length).toBeGreaterThan(10)
  const unused = Object.keys(exceptions).filter((name) => !keys.some(({ key }) => key === name))
  expect(unused).toEqual([])
})

test('every unique index of such a table begins with project_id too', async () => {
  const indexes = await database.query(sql<{ name: string; first: string }>`
    select index_class.relname as name, attribute.attname as first
    from pg_index as index
    join pg_class as index_class on index_class.oid = index.indexrelid
    left join pg_attribute as attribute on attribute.attrelid = index.indrelid and attribute.attnum = index.indkey[0]
    where index.indisunique and index_class.relnamespace = 'public'::regnamespace
      and exists (select from pg_attribute as a where a.attrelid = index.indrelid and a.attname = 'project_id')`)
  expect(indexes.length).toBeGreaterThan(10)
  expect(
    indexes.filter(({ first, name }) => first !== 'project_id' && exceptions[name] === undefined),
  ).toEqual([])
})

test('every indexed text column has the collation "C", so that an order does not depend on the server', async () => {
  const columns = await database.query(sql<{ table: string; column: string; collation: string }>`
    select distinct relation.relname as "table", attribute.attname as "column", coll.collname as collation
    from pg_index as index
    join pg_class as relation on relation.oid = index.indrelid
    join pg_attribute as attribute on attribute.attrelid = index.indrelid and attribute.attnum = any(index.indkey)
    join pg_collation as coll on coll.oid = attribute.attcollation
    where relation.relnamespace = 'public'::regnamespace`)
  expect(columns.length).toBeGreaterThan(3)
  expect(columns.filter(({ collation }) => collation !== 'C')).toEqual([])
})

test('every timestamp has milliseconds, so that its text is the time itself', async () => {
  const columns = await database.query(sql<{ type: string }>`
    select format_type(attribute.atttypid, attribute.atttypmod) as type
    from pg_attribute as attribute
    join pg_class as relation on relation.oid = attribute.attrelid
    where relation.relnamespace = 'public'::regnamespace and relation.relkind = 'r' and attribute.atttypid = 'timestamptz'::regtype`)
  expect(new Set(columns.map(({ type }) => type))).toEqual(new Set(['timestamp(3) with time zone']))
})

test('no function with a parsed body uses the row type of a table, because PostgreSQL 15.20 refuses to alter such a table', async () => {
  const found = await database.query(sql<{ name: string }>`
    select proname as name from pg_proc
    where pronamespace = 'public'::regnamespace and prosqlbody is not null
      and exists (
        select from pg_type where oid = any(array_append(proargtypes::oid[], prorettype)) and typrelid <> 0)`)
  expect(found).toEqual([])
})
