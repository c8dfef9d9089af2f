import { join } from 'node:path'
import type pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/database/database.ts'
import { compareReleases } from '../../src/platform/database/migration/migration-file.ts'
import { sql } from '../../src/platform/database/sql.ts'
import { connectionUrl, emptyDatabase } from '../database/test-database.ts'
import { isLong } from '../faults/scale.ts'
import { catalog, jsonOf, serve } from '../processes/catalog-process.ts'
import { bearer, count, newToken } from '../processes/served-shop.ts'
import { type Changed, eventsAfter, headOfFeed, makeEveryChange } from './every-change.ts'
import { commitOfReleaseBefore, releaseAfter, root, unpack, versionOf } from './releases.ts'
import { traffic } from './traffic.ts'

const firstRolling = '0.2.0'
/** Six kinds by each of four clients, and what each had under way. */
const everyKind = 28
const clientsAtOnce = 4

/** A service of one release works until another release has taken over from it; both are folders. */
async function upgradeUnderLoad(connection: pg.ClientConfig, older: string, newer: string): Promise<void> {
  const environment = { DATABASE_URL: connectionUrl(connection) }
  const start = (folder: string) => serve([], environment, undefined, join(folder, 'bin/catalog'))
  const runner = (folder: string) => (args: string[], extra: Record<string, string>) =>
    catalog(args, extra, '', join(folder, 'bin/catalog'))
  const before = await start(older)
  const { token, project } = await newToken({
    catalogJson: (args) => jsonOf(runner(older), args, environment),
  })
  const load = traffic(before.url, token)
  const more = async (requests: number) => {
    const now = load.answered()
    await expect.poll(() => load.answered() - now, { timeout: 60_000 }).toBeGreaterThan(requests)
  }
  await more(everyKind)

  const after = await start(newer)
  // Both serve the same schema now, and each what the other writes.
  // A release before 0.4.0 gives no token the scope of events.
  const { token: reader } = await jsonOf(
    runner(newer),
    ['token', 'create', '--project', project],
    environment,
  )
  const head = await headOfFeed(after.url, reader)
  // Whoever is answered after these has asked after the head was read.
  await more(clientsAtOnce)
  const first = load.categories.length
  const changed = [
    ...(await makeEveryChange(before.url, token, 'older')),
    ...(await makeEveryChange(after.url, token, 'newer')),
  ]
  await more(everyKind)
  load.move(after.url)
  await more(everyKind)
  expect(await before.stop()).toMatchObject({ code: 0 })
  await more(everyKind)
  await load.end()

  expect(load.failures).toEqual([])
  const events = await eventsAfter(after.url, reader, head)
  expectEvents(events, changed, load.categories.slice(first))
  expect(await count(after.url, token)).toBe(load.created.length + 2)
  const last = load.created.at(-1) as string
  const found = await fetch(`${after.url}/v2/products/by-sku/${last}`, { headers: bearer(token) })
  expect(await found.json()).toMatchObject({ sku: last, status: 'active' })
  expect(await runner(newer)(['doctor'], environment)).toMatchObject({
    stdout: expect.stringMatching(/ok\s+counts/),
  })
}

/** Each change has its event, whichever release made it, and none has two. The clients of the load write products and categories. */
function expectEvents(events: Changed[], changed: Changed[], categories: number[]): void {
  const textOf = ({ type, object }: Changed) => `${type} ${object}`
  const told = events.map(textOf)
  const wanted = changed.map(textOf)
  const isOwn = (one: string) => !/^(product|category.created)/.test(one)
  expect(told.filter(isOwn).sort()).toEqual(wanted.filter(isOwn).sort())
  expect(told).toEqual(expect.arrayContaining(wanted))
  const made = told.filter((one) => one.startsWith('category.created'))
  expect(new Set(made).size).toBe(made.length)
  expect(categories.length).toBeGreaterThan(clientsAtOnce)
  expect(made).toEqual(expect.arrayContaining(categories.map((id) => `category.created ${id}`)))
}

/** The commit of the release before, or why there is none. */
function releaseBefore(): { commit: string } | { missing: string } {
  const commit = commitOfReleaseBefore()
  if (commit === undefined) return { missing: 'the history of the repository is not there' }
  const version = versionOf(commit)
  return compareReleases(version, firstRolling) < 0
    ? { missing: `release ${version} is older than ${firstRolling}, the first that is replaced under load` }
    : { commit }
}

test('fault 35: this release migrates and starts beside the one before under load: no request fails, nothing is lost, every change has its event', async ({
  skip,
}) => {
  const before = releaseBefore()
  if ('missing' in before) return skip(before.missing)
  await upgradeUnderLoad(await emptyDatabase('before'), unpack(before.commit), root)
})

test('fault 35: the next release migrates and starts beside this one under load: no request fails, nothing is lost, every change has its event', async ({
  skip,
}) => {
  if (!isLong && 'commit' in releaseBefore()) return skip('this release beside the one before tells it too')
  const connection = await emptyDatabase('next')
  const next = releaseAfter(`
    alter table products add column next_field text;
    create table next_things (id bigint primary key, project_id bigint not null references projects (id));`)
  await upgradeUnderLoad(connection, root, next)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  const [found] = await database.query(sql`select count(next_field) as filled from products`)
  await database.close()
  expect(found).toEqual({ filled: 0 })
})
