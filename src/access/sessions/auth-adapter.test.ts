import type { CleanedWhere } from 'better-auth/adapters'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { whenFileEnds } from '../../../test/setup/file-end.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { storage } from './auth-adapter.ts'

let auth: ReturnType<typeof storage>
const model = 'twoFactors'

/** A table like one of a better-auth plugin. */
beforeAll(async () => {
  const connection = await ownDatabase('auth_adapter')
  const database = openDatabase({ connection, poolSize: 4, statementTimeoutSeconds: 30 })
  whenFileEnds(() => database.close())
  await database.query(sql`
    create table two_factors (
      id bigint generated always as identity primary key, user_name text not null, backup_codes text, failed_tries int not null default 0,
      token_hash text)`)
  auth = storage(database)
  for (const [userName, backupCodes] of [
    ['Ada', 'a b'],
    ['Bob', 'b c'],
    ['Cy', null],
  ])
    await auth.create({ model, defaultModel: 'twoFactor', data: { userName, backupCodes } } as never)
})

const where = (field: string, operator: string, value: unknown, more: object = {}) =>
  ({ field, operator, value, connector: 'AND', mode: 'sensitive', ...more }) as CleanedWhere

async function names(...conditions: CleanedWhere[]): Promise<unknown[]> {
  const sortBy = { field: 'userName', direction: 'desc' } as const
  const found = await auth.findMany<{ userName: string }>({
    model,
    where: conditions,
    limit: 9,
    sortBy,
  } as never)
  return found.map(({ userName }) => userName)
}

test('any model and field can be read and written without specific code', async () => {
  const query = { model, where: [where('userName', 'eq', 'Ada')] } as never
  expect(await auth.findOne(query)).toMatchObject({ userName: 'Ada', backupCodes: 'a b', failedTries: 0 })
  expect(await auth.count({ model } as never)).toBe(3)
  await expect(auth.count({ model: 'users; drop' } as never)).rejects.toThrow('not a valid name')
})

test.each<[string, CleanedWhere[], string[]]>([
  ['ne', [where('userName', 'ne', 'Bob')], ['Cy', 'Ada']],
  ['in', [where('userName', 'in', ['Ada', 'Cy'])], ['Cy', 'Ada']],
  ['in none', [where('userName', 'in', [])], []],
  ['not_in', [where('userName', 'not_in', ['Ada', 'Cy'])], ['Bob']],
  ['contains', [where('backupCodes', 'contains', 'b')], ['Bob', 'Ada']],
  ['starts_with', [where('backupCodes', 'starts_with', 'b')], ['Bob']],
  ['ends_with', [where('backupCodes', 'ends_with', 'b')], ['Ada']],
  ['any case', [where('userName', 'eq', 'aDA', { mode: 'insensitive' })], ['Ada']],
  ['null', [where('backupCodes', 'eq', null)], ['Cy']],
  ['not null', [where('backupCodes', 'ne', null)], ['Bob', 'Ada']],
  [
    'or',
    [
      where('failedTries', 'lt', 1),
      where('userName', 'eq', 'Ada', { connector: 'OR' }),
      where('userName', 'eq', 'Cy', { connector: 'OR' }),
    ],
    ['Cy', 'Ada'],
  ],
])('the condition %s finds the matching rows', async (_, conditions, expected) => {
  expect(await names(...conditions)).toEqual(expected)
})

test('concurrent callers consume a row once, and each increments a counter', async () => {
  await auth.create({ model, data: { userName: 'Dan', tokenHash: 'secret' } } as never)
  const query = { model, where: [where('tokenHash', 'eq', 'secret')] } as never
  expect(await auth.findOne(query)).toMatchObject({ userName: 'Dan', tokenHash: 'secret' })
  const count = { model, where: [where('userName', 'eq', 'Dan')], increment: { failedTries: 1 } } as never
  await Promise.all(Array.from({ length: 8 }, () => auth.incrementOne?.(count)))
  expect(await auth.findOne(query)).toMatchObject({ failedTries: 8 })
  const taken = await Promise.all(Array.from({ length: 8 }, () => auth.consumeOne?.(query)))
  expect(taken.filter((row) => row !== null)).toHaveLength(1)
})
