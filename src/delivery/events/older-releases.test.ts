import { beforeEach, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { type EventType, eventTypes } from '../../model/events/event-types.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { raw, type Statement, sql } from '../../platform/database/sql.ts'
import { version } from '../../platform/version.ts'

/*
 * A release that does not record a kind of event yet writes next to one that does. Every type has an entry below: what such a release
 * writes, and what the event shows of it. A new type that older releases can cause needs triggers in its migration.
 */

let service: TestService
let shop: Tenant
beforeEach(async () => {
  service = await sharedTestService()
  shop = await service.tenant()
  await shop.call('/v2/products', { method: 'POST', body: { sku: 'A', name: 'A' } })
  // The product whose history is written below.
  await service.database.query(sql`delete from product_history where project_id = ${shop.project}`)
})

type Older = { write: (project: number) => Statement<unknown>[]; shown: object }
const own = (project: number) => sql`project_id = ${project}`
const history = (number: number) => (project: number) => [
  sql`insert into product_history (project_id, product_id, version, actor, source, before, after, changed_at)
      select project_id, id, ${number}, 'Ann', 'api', '{}', '{}', now() from products where ${own(project)}`,
]
const proposal = (state: string) => (project: number) => [
  sql`insert into proposals (project_id, title, origin, state, actor, lines, expires_at) values (${project}, ${state}, 'api', 'open', 'Ann', 2, now())`,
  sql`update proposals set open = 2 where ${own(project)} and title = ${state}`,
]
const step = (from: string, state: string) => (project: number) => [
  sql`update proposals set state = 'applying' where ${own(project)} and title = ${from}`,
  sql`update proposals set applied = applied + 1, open = open - 1 where ${own(project)} and title = ${from}`,
  sql`update proposals set state = ${state} where ${own(project)} and title = ${from}`,
]
const ruleset = (number: number, rules: string | null, definitions: string) => (project: number) => [
  sql`insert into rulesets (project_id, version, rules, definitions) values (${project}, ${number}, ${rules}::jsonb, ${definitions}::jsonb)`,
]
const closed = (state: string) => ({
  write: (project: number) => [...proposal(state)(project), ...step(state, state)(project)],
  shown: { before: null, after: { title: state, state, summary: { states: { open: 1, applied: 1 } } } },
})

/** In the order of the writes; each builds on the previous ones. */
const older: Record<EventType, Older | 'no older release writes this'> = {
  'product.created': { write: history(1), shown: { version: 1, actor: 'Ann', source: 'api' } },
  'product.updated': { write: history(2), shown: { version: 2, actor: 'Ann', source: 'api' } },
  'product.stock_changed': {
    write: (project) => [
      sql`insert into inventory_adjustments (project_id, product_id, delta, quantity, reason, actor, source)
          select project_id, id, 1, 1, 'R', 'Ann', 'api' from products where ${own(project)}`,
    ],
    shown: { actor: 'Ann', source: 'api' },
  },
  'category.created': {
    write: (project) => [sql`insert into categories (project_id, name) values (${project}, 'Lamps')`],
    shown: {
      actor: 'older release',
      source: 'service',
      before: null,
      after: { name: 'Lamps', path: ['Lamps'], parent: null },
    },
  },
  'category.updated': {
    write: (project) => [
      sql`update categories set name = 'Lights', updated_at = now() + interval '1 second' where ${own(project)}`,
    ],
    shown: { before: { path: ['Lamps'], position: 0 }, after: { name: 'Lights', path: ['Lights'] } },
  },
  'category.deleted': {
    write: (project) => [
      // A merge renames the category that it deletes.
      sql`update categories set name = 'free' where ${own(project)}`,
      sql`delete from categories where ${own(project)}`,
    ],
    shown: { before: { parent: null }, after: null },
  },
  'attribute.created': {
    write: ruleset(1, null, '[{"name": "watt", "type": "number"}]'),
    shown: { id: 0, version: 1, before: null, after: { name: 'watt', type: 'number' } },
  },
  'attribute.updated': {
    write: ruleset(2, null, '[{"name": "watt", "type": "text"}]'),
    shown: { version: 2, before: { type: 'number' }, after: { type: 'text' } },
  },
  'attribute.deleted': {
    write: ruleset(3, null, '[]'),
    shown: { version: 3, before: { name: 'watt' }, after: null },
  },
  'quality_rules.updated': {
    write: ruleset(4, '[{"code": "priced"}]', '[]'),
    shown: {
      version: 4,
      before: { ruleset: 3, left_out: ['rules'] },
      after: { ruleset: 4, rules: [{ code: 'priced' }] },
    },
  },
  'prompt.created': {
    write: (project) => [
      sql`insert into prompts (project_id, name, search_text) values (${project}, 'Titles', 'titles')`,
      sql`insert into prompt_versions (project_id, prompt_id, major, minor, patch, prompt_text, actor, variables)
          select project_id, id, 1, 0, 0, 'Of {{name}}', 'Ann', '{name}' from prompts where ${own(project)}`,
    ],
    shown: {
      actor: 'Ann',
      before: null,
      after: { name: 'Titles', description: '', latest_version: '1.0.0', variables: ['name'], labels: {} },
    },
  },
  'prompt.updated': {
    write: (project) => [
      sql`update prompts set updated_at = now() where ${own(project)}`,
      sql`update prompts set description = 'Of products' where ${own(project)}`,
    ],
    shown: { before: { description: '' }, after: { description: 'Of products' } },
  },
  'prompt.version_created': {
    write: (project) => [
      sql`insert into prompt_versions (project_id, prompt_id, major, minor, patch, prompt_text, actor, variables)
          select project_id, id, 1, 1, 0, repeat('é', 20000), 'Ann', '{}' from prompts where ${own(project)}`,
    ],
    shown: { actor: 'Ann', before: null, after: { version_number: '1.1.0', left_out: ['prompt_text'] } },
  },
  'prompt.label_moved': {
    write: (project) => [
      sql`insert into prompt_label_moves (project_id, prompt_id, label, from_version, to_version, actor)
          select project_id, id, 'production', null, '1.0.0', 'Ann' from prompts where ${own(project)}`,
    ],
    shown: { actor: 'Ann', before: null, after: { label: 'production', version_number: '1.0.0' } },
  },
  'proposal.opened': {
    write: proposal('first'),
    shown: {
      actor: 'Ann',
      before: null,
      after: { state: 'open', summary: { total: 2, states: { open: 2 } } },
    },
  },
  'proposal.updated': {
    write: step('first', 'open'),
    shown: {
      actor: 'older release',
      before: { state: 'open', summary: { states: { open: 2 } } },
      after: { summary: { states: { open: 1, applied: 1 } } },
    },
  },
  'proposal.applied': { write: step('first', 'applied'), shown: { after: { state: 'applied' } } },
  'proposal.partly_applied': closed('partly_applied'),
  'proposal.discarded': closed('discarded'),
  'proposal.expired': closed('expired'),
  'proposal.failed': closed('failed'),
  'view.created': 'no older release writes this',
  'view.updated': 'no older release writes this',
  'view.deleted': 'no older release writes this',
  'run.started': 'no older release writes this',
  'run.waiting': 'no older release writes this',
  'run.finished': 'no older release writes this',
  // Webhooks and their events came with the same release.
  'webhook.failing': 'no older release writes this',
  'webhook.disabled': 'no older release writes this',
}

/** Runs the writes in a session of a release; releases before 0.4.0 do not set their version. */
async function written(release: string, { write }: Older): Promise<{ type: string }[]> {
  const events = (tx: Transaction) =>
    tx.query(sql<{ type: string }>`
      select type, actor, source, object_ids[1] as id, versions[1] as version,
             details[1] -> 'before' as before, details[1] -> 'after' as after
      from event_outbox where project_id = ${shop.project} and xid = pg_current_xact_id() order by id`)
  return service.database.transaction(async (tx) => {
    await tx.query(sql`select set_config('catalog.release', ${release}, true)`)
    for (const statement of write(shop.project)) await tx.query(statement)
    await tx.query(raw('set constraints all immediate'))
    return events(tx)
  })
}

test('every event type has an entry', () => {
  expect(Object.keys(older).sort()).toEqual([...eventTypes.keys()].sort())
})

test('every change that an older release makes is recorded once', async () => {
  for (const [type, entry] of Object.entries(older))
    if (typeof entry !== 'string')
      expect(await written('', entry), type).toMatchObject([{ type, ...entry.shown }])
})

test('changes of a release that records events itself are not recorded twice', async () => {
  const category = older['category.created'] as Older
  const named = (name: string) => ({
    ...category,
    write: (project: number) => [sql`insert into categories (project_id, name) values (${project}, ${name})`],
  })
  expect(await written(version, named('Own'))).toEqual([])
  expect(await written('0.10.0', named('Later'))).toEqual([])
  expect(await written('1.0.0-rc.1', named('Candidate'))).toEqual([])
  expect(await written('0.3.9', named('Before'))).toHaveLength(1)
})
