import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import type { Queryable } from '../../platform/database/database.ts'
import { join, raw, type Sql, sql, write } from '../../platform/database/sql.ts'
import { hashSessionToken } from './session-cookie.ts'

type Row = Record<string, unknown>
type Sorting = { field: string; direction: 'asc' | 'desc' }

/** This field is stored as a hash. better-auth gets back the value that it passed. */
const hashedField = 'tokenHash'

/**
 * Runs better-auth's statements on our database, with our pool, time limits and failures. A model maps to the table named after its
 * plural, and a field to the column of its name in snake_case. A better-auth plugin therefore needs a migration and no code here.
 */
export function authAdapter(database: Queryable) {
  return createAdapterFactory({
    config: { adapterId: 'catalog', usePlural: true, supportsDates: false, transaction: false },
    adapter: () => storage(database),
  })
}

/** All statements of better-auth, for any model. */
export function storage(database: Queryable): CustomAdapter {
  const rows = async (statement: Sql) =>
    (await database.query(statement as Sql & { row?: Row })).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), value])),
    )
  const written = (statement: Sql) => rows(write(statement))
  const shown = <Found>(row: Row | undefined, given: Row): Found | null =>
    (row && given[hashedField] !== undefined
      ? { ...row, [hashedField]: given[hashedField] }
      : (row ?? null)) as Found | null

  return {
    async create({ model, data }) {
      const values = Object.entries(data).map(([name, value]) => sql`${stored(name, value)}`)
      const columns = Object.keys(data).map(named)
      const [row] = await written(
        sql`insert into ${named(model)} (${join(columns)}) values (${join(values)}) returning *`,
      )
      return shown(row, data) as typeof data
    },
    async update({ model, where, update }) {
      const [row] = await written(
        sql`update ${named(model)} set ${assignments(update as Row)} where ${matches(where)} returning *`,
      )
      return shown(row, valuesOf(where))
    },
    updateMany: async ({ model, where, update }) =>
      (
        await written(
          sql`update ${named(model)} set ${assignments(update)} where ${matches(where)} returning id`,
        )
      ).length,
    async incrementOne({ model, where, increment, set = {} }) {
      const added = Object.entries(increment).map(
        ([name, delta]) => sql`${named(name)} = ${named(name)} + ${delta}`,
      )
      const all = Object.keys(set).length === 0 ? added : [...added, assignments(set)]
      const one = sql`select id from ${named(model)} where ${matches(where)} limit 1 for update`
      const [row] = await written(
        sql`update ${named(model)} set ${join(all)} where id = (${one}) returning *`,
      )
      return shown(row, valuesOf(where))
    },
    async findOne({ model, where }) {
      const [row] = await rows(sql`select * from ${named(model)} where ${matches(where)} limit 1`)
      return shown(row, valuesOf(where))
    },
    findMany: async <Found>(query: Parameters<CustomAdapter['findMany']>[0]) => {
      const { model, where = [], sortBy, limit, offset = 0 } = query
      return (await rows(sql`
        select * from ${named(model)} where ${matches(where)} order by ${order(sortBy)} limit ${limit} offset ${offset}`)) as Found[]
    },
    delete: async ({ model, where }) =>
      void (await written(sql`delete from ${named(model)} where ${matches(where)}`)),
    deleteMany: async ({ model, where }) =>
      (await written(sql`delete from ${named(model)} where ${matches(where)} returning id`)).length,
    async consumeOne({ model, where }) {
      const one = sql`select id from ${named(model)} where ${matches(where)} limit 1 for update`
      const [row] = await written(sql`delete from ${named(model)} where id = (${one}) returning *`)
      return shown(row, valuesOf(where))
    },
    async count({ model, where = [] }) {
      const [row] = await rows(sql`select count(*) from ${named(model)} where ${matches(where)}`)
      return row?.['count'] as number
    },
  }
}

/** Names come from better-auth's schema and our mapping of it, never from a request. */
function named(name: string): Sql {
  if (!/^[a-z]+$/i.test(name)) throw new Error(`better-auth requested "${name}", which is not a valid name`)
  return raw(`"${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`)
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function valuesOf(where: CleanedWhere[]): Row {
  return Object.fromEntries(where.map(({ field, value }) => [field, value]))
}

function assignments(update: Row): Sql {
  return join(Object.entries(update).map(([name, value]) => sql`${named(name)} = ${stored(name, value)}`))
}

function order(sortBy: Sorting | undefined): Sql {
  return sortBy === undefined ? sql`id` : sql`${named(sortBy.field)} ${raw(sortBy.direction)}, id`
}

/** All conditions joined by `AND`, and at least one of those joined by `OR`. */
function matches(where: CleanedWhere[]): Sql {
  const { AND = [], OR = [] } = Object.groupBy(where, ({ connector }) => connector ?? 'AND')
  const all = AND.map(condition)
  return join(
    [sql`true`, ...all, ...(OR.length > 0 ? [sql`(${join(OR.map(condition), ' or ')})`] : [])],
    ' and ',
  )
}

const comparisons = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const

function condition({ field, operator, value, mode }: CleanedWhere): Sql {
  const isText = mode === 'insensitive' && (typeof value === 'string' || Array.isArray(value))
  const name = isText ? sql`lower(${named(field)}::text)` : named(field)
  const given = [value].flat().map((one) => stored(field, isText ? String(one).toLowerCase() : one))
  const [first] = given
  switch (operator) {
    case 'in':
    case 'not_in': {
      const among =
        given.length === 0 ? sql`false` : sql`${name} in (${join(given.map((one) => sql`${one}`))})`
      return operator === 'in' ? among : sql`not (${among})`
    }
    case 'contains':
      return sql`position(${String(first)} in ${name}::text) > 0`
    case 'starts_with':
      return sql`starts_with(${name}::text, ${String(first)})`
    case 'ends_with':
      return sql`right(${name}::text, length(${String(first)})) = ${String(first)}`
    default:
      if (value === null) return operator === 'ne' ? sql`${name} is not null` : sql`${name} is null`
      return sql`${name} ${raw(comparisons[operator ?? 'eq'])} ${first}`
  }
}

function stored(name: string, value: unknown): unknown {
  return name === hashedField && typeof value === 'string' ? hashSessionToken(value) : value
}
