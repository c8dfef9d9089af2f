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
import { sampleModel } from '../run-shop.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'
import { applyEditedLine } from './edited-proposal.ts'
import { type Changed, eventsAfter, headOfFeed, makeEveryChange } from './every-change.ts'
import { nextRelease, previousReleaseCommit, root, unpack, versionOf } from './releases.ts'
import { expectSharedAssets } from './shared-assets.ts'
import { applyRun } from './shared-run.ts'
import { startTraffic } from './traffic.ts'

const firstRolling = '0.2.0'
/** Six kinds of request by each of four clients, and one in flight per client. */
const everyKind = 28
const clientsAtOnce = 4

/** Replaces a service of the older release with the newer one under load. Both are folders. */
async function upgradeUnderLoad(connection: pg.ClientConfig, older: string, newer: string): Promise<void> {
  const environment = { DATABASE_URL: connectionUrl(connection) }
  const programIn = (folder: string) => join(folder, 'bin/catalog')
  const runner = (folder: string) => (args: string[], extra: Record<string, string>) =>
    catalog(args, extra, '', programIn(folder))
  const before = await serve([], environment, undefined, programIn(older))
  const { token, project } = await newToken({
    catalogJson: (args) => jsonOf(runner(older), args, environment),
  })
  const load = startTraffic(before.url, token)
  const more = async (requests: number) => {
    const now = load.answered()
    await expect.poll(() => load.answered() - now, { timeout: 60_000 }).toBeGreaterThan(requests)
  }
  await more(everyKind)

  const model = await sampleModel()
  const after = await serve(
    ['--ai-allow', model.origin],
    { ...environment, CATALOG_MEDIA: temporaryFolder() },
    undefined,
    programIn(newer),
  )
  // Both now serve the same schema and each other's writes.
  // Before 0.4.0, tokens do not have the scope for events.
  const { token: reader } = await jsonOf(
    runner(newer),
    ['token', 'create', '--project', project],
    environment,
  )
  const head = await headOfFeed(after.url, reader)
  // Later responses belong to requests that were sent after the head was read.
  await more(clientsAtOnce)
  const first = load.categories.length
  const changed = [
    ...(await makeEveryChange(before.url, token, 'older')),
    ...(await makeEveryChange(after.url, token, 'newer')),
  ]
  await expectSharedAssets(before.url, after.url, token)
  changed.push(...(await applyEditedLine(connection, before.url, after.url, token)))
  changed.push(...(await applyRun(connection, before.url, after.url, token, model)))
  await more(everyKind)
  load.move(after.url)
  await more(everyKind)
  expect(await before.stop()).toMatchObject({ code: 0 })
  await more(everyKind)
  await load.end()

  expect(load.failures).toEqual([])
  const events = await eventsAfter(after.url, reader, head)
  expectEvents(events, changed, load.categories.slice(first))
  expect(await count(after.url, token)).toBe(load.created.length + 3)
  const last = load.created.at(-1) as string
  const found = await fetch(`${after.url}/v2/products/by-sku/${last}`, { headers: bearer(token) })
  expect(await found.json()).toMatchObject({ sku: last, status: 'active' })
  expect(await runner(newer)(['doctor'], environment)).toMatchObject({
    stdout: expect.stringMatching(/ok\s+counts/),
  })
}

/** Each change has exactly one event, whichever release made it. The load writes products and categories. */
function expectEvents(events: Changed[], changed: Changed[], categories: number[]): void {
  const textOf = ({ type, object }: Changed) => `${type} ${object}`
  const found = events.map(textOf)
  const expected = changed.map(textOf)
  const isOwn = (one: string) => !/^(product|category.created)/.test(one)
  expect(found.filter(isOwn).sort()).toEqual(expected.filter(isOwn).sort())
  expect(found).toEqual(expect.arrayContaining(expected))
  const created = found.filter((one) => one.startsWith('category.created'))
  expect(new Set(created).size).toBe(created.length)
  expect(categories.length).toBeGreaterThan(clientsAtOnce)
  expect(created).toEqual(expect.arrayContaining(categories.map((id) => `category.created ${id}`)))
}

/** The commit of the previous release, or why it is missing. */
function previousRelease(): { commit: string } | { missing: string } {
  const commit = previousReleaseCommit()
  if (commit === undefined) return { missing: 'the repository history is missing' }
  const version = versionOf(commit)
  return compareReleases(version, firstRolling) < 0
    ? { missing: `release ${version} is older than ${firstRolling}, the first with rolling upgrades` }
    : { commit }
}

test('fault 35: an upgrade from the previous release under load fails no request, loses nothing, and records an event for every change', async ({
  skip,
}) => {
  const before = previousRelease()
  if ('missing' in before) return skip(before.missing)
  await upgradeUnderLoad(await emptyDatabase('before'), unpack(before.commit), root)
})

test('fault 35: an upgrade to the next release under load fails no request, loses nothing, and records an event for every change', async ({
  skip,
}) => {
  if (!isLong && 'commit' in previousRelease()) return skip('the upgrade from the previous release covers it')
  const connection = await emptyDatabase('next')
  const next = nextRelease(`
    alter table products add column next_field text;
    create table next_things (id bigint primary key, project_id bigint not null references projects (id));`)
  await upgradeUnderLoad(connection, root, next)
  const database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 5 })
  const [found] = await database.query(sql`select count(next_field) as filled from products`)
  await database.close()
  expect(found).toEqual({ filled: 0 })
})
