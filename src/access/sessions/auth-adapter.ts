import { type CleanedWhere, type CustomAdapter, createAdapterFactory } from 'better-auth/adapters'
import type { Queryable } from '../../platform/database/database.ts'
import { join, raw, type Sql, sql, write } from '../../platform/database/sql.ts'
import { hashSessionToken } from './session-cookie.ts'

type Row = Record<string, unknown>
type ManyQuery = { model: string; where?: CleanedWhere[] | undefined; limit: number }

const comparisons: Record<string, string> = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' }
const hashed = 'token_hash'

/**
 * Runs better-auth's statements on our database, with our pool, time limits and failures. The session's token is hashed before
 * it is stored or compared; better-auth gets the token back that it asked with.
 */
export function authAdapter(database: Queryable) {
  return createAdapterFactory({
    config: { adapterId: 'catalog', supportsDates: false, transaction: false },
    adapter: () => storage(database),
  })
}

function storage(database: Queryable): CustomAdapter {
  const rows = (statement: Sql) => database.query(statement as Sql & { row?: Row })
  const written = (statement: Sql) => rows(write(statement))
  const shown = (row: Row | undefined, given: Row): Row | null => {
    if (row === undefined) return null
    return given[hashed] === undefined ? row : { ...row, [hashed]: given[hashed] }
  }
  const asked = (where: CleanedWhere[]): Row =>
    Object.fromEntries(where.map(({ field, value }) => [field, value]))

  return {
    create: async ({ model, data }) => {
      const columns = Object.keys(data).map((name) => column(name))
      const values = Object.entries(data).map(([name, value]) => sql`${stored(name, value)}`)
      const [row] = await written(
        sql`insert into ${column(model)} (${join(columns)}) values (${join(values)}) returning *`,
      )
      return shown(row, data) as typeof data
    },
    update: async ({ model, where, update }) => {
      const [row] = await written(
        sql`update ${column(model)} set ${assignments(update as Row)} where ${matches(where)} returning *`,
      )
      return shown(row, asked(where)) as typeof update | null
    },
    updateMany: async ({ model, where, update }) =>
      (
        await written(
          sql`update ${column(model)} set ${assignments(update)} where ${matches(where)} returning id`,
        )
      ).length,
    findOne: async <Found>({ model, where }: { model: string; where: CleanedWhere[] }) => {
      const [row] = await rows(sql`select * from ${column(model)} where ${matches(where)} limit 1`)
      return shown(row, asked(where)) as Found | null
    },
    findMany: async <Found>({ model, where = [], limit }: ManyQuery) =>
      (await rows(
        sql`select * from ${column(model)} where ${matches(where)} order by id limit ${limit}`,
      )) as Found[],
    delete: async ({ model, where }) =>
      void (await written(sql`delete from ${column(model)} where ${matches(where)}`)),
    deleteMany: async ({ model, where }) =>
      (await written(sql`delete from ${column(model)} where ${matches(where)} returning id`)).length,
    count: async ({ model, where = [] }) => {
      const [row] = await rows(sql`select count(*) from ${column(model)} where ${matches(where)}`)
      return row?.['count'] as number
    },
  }
}

/** Names come from better-auth's schema and our mapping of it, never from a request. */
function column(name: string): Sql {
  if (!/^[a-z_]+$/.test(name))
    throw new Error(`better-auth asks for "${name}", which our schema does not have`)
  return raw(`"${name}"`)
}

function assignments(update: Row): Sql {
  return join(Object.entries(update).map(([name, value]) => sql`${column(name)} = ${stored(name, value)}`))
}

function matches(where: CleanedWhere[]): Sql {
  if (where.length === 0) return sql`true`
  const terms = where.map(({ field, operator, value, connector }) => {
    const comparison = comparisons[operator ?? 'eq']
    if (comparison === undefined || connector === 'OR' || value === null)
      throw new Error(
        `better-auth asks for ${connector} ${field} ${operator}, which its adapter does not know`,
      )
    return sql`${column(field)} ${raw(comparison)} ${stored(field, value)}`
  })
  return join(terms, ' and ')
}

function stored(name: string, value: unknown): unknown {
  return name === hashed ? hashSessionToken(String(value)) : value
}
