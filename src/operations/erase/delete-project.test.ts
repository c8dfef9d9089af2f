import { beforeAll, describe, expect, test } from 'vitest'
import { consoleUser } from '../../../test/console-user.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { insertSampleRun } from '../../../test/run-shop.ts'
import { addActivity } from '../../access/usage/activity.sql.ts'
import { addUsage } from '../../access/usage/usage.sql.ts'
import { numberEvents } from '../../delivery/events/number-events.sql.ts'
import { raw, sql } from '../../platform/database/sql.ts'
import { productTables } from './delete-products.sql.ts'
import { afterProducts, beforeProducts, deletedWithProject, retainedTables } from './delete-project.sql.ts'
import { deleteProject } from './delete-project.ts'

const actor = { name: 'the one who deletes' }

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

async function tablesOfProjects(): Promise<string[]> {
  const rows = await service.database.query(sql<{ name: string }>`
    select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'project_id' order by table_name collate "C"`)
  return rows.map(({ name }) => name)
}

async function rowsOf(project: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tablesOfProjects()) {
    const [row] = await service.database.query(
      sql<{ count: number }>`select count(*) from ${raw(table)} where project_id = ${project}`,
    )
    counts[table] = row?.count ?? -1
  }
  // A row can move from one table to the other at any time.
  const [events] = await service.database.query(sql<{ count: number }>`
    select (select count(*) from event_outbox where project_id = ${project})
         + (select count(*) from event_feed where project_id = ${project}) as count`)
  const count = events?.count ?? -1
  // Jobs that are done go by themselves.
  const jobs = Math.min(counts['jobs'] ?? -1, 1)
  // Changes are counted some seconds later.
  const actor_activity = Math.min(counts['actor_activity'] ?? -1, 1)
  return { ...counts, jobs, actor_activity, event_outbox: count, event_feed: count }
}

/** A service may report rate limits late; these rows are removed within a minute. */
const staying = ['audit_entries', 'asset_files', 'rate_limit_buckets']
const gone = async () =>
  Object.fromEntries(
    (await tablesOfProjects()).map((table) => [table, staying.includes(table) ? expect.any(Number) : 0]),
  )

/** A project that has something in every table. */
async function fullProject(): Promise<Tenant> {
  const shop = await service.tenant()
  const send = async (method: string, path: string, body: unknown, headers = {}) => {
    const response = await shop.call(`/v2${path}`, { method, body, headers })
    expect(response.status, response.text).toBeLessThan(300)
    return response.body
  }
  const lines = Array.from({ length: 60 }, (_, index) => ({
    sku: `P-${index}`,
    name: 'Lamp',
    categories: [{ path: ['Home', 'Lamps', `Kind ${index % 3}`] }, { path: ['Sale'] }],
    media: [{ url: 'https://images.example/lamp.jpg' }],
    links: { related: [{ sku: `P-${59 - index}` }] },
  }))
  await send('POST', '/products/bulk', lines)
  // What comes after is in the outbox still, or has its number too.
  await numberEvents(service.database)
  const { id } = await send('POST', '/products', { sku: 'KEYED', name: 'Lamp' }, { 'idempotency-key': 'key' })
  await send('POST', `/products/${id}/inventory/adjust`, { delta: 5, reason: 'Delivery' })
  await send('PATCH', `/products/${id}`, { price: 5 })
  const member = await consoleUser(service, { projects: [shop.project] })
  await send('POST', '/proposals', [{ sku: 'KEYED', price: 6 }])
  const prompt = await send('POST', '/prompts', { name: 'Title', prompt_text: 'A title for {{name}}' })
  await send('PUT', `/prompts/${prompt.id}/labels/production`, { version_number: '1.0.0' })
  await service.database.query(sql`
    insert into model_outcomes (project_id, prompt_id, version_number, model, currency)
    values (${shop.project}, ${prompt.id}, '1.0.0', 'm-1', 'EUR')`)
  await insertSampleRun(service.database, shop.project, prompt.id)
  expect((await member.call(`/console/api/projects/${shop.project}/products`)).status).toBe(200)
  const invitation = { method: 'POST', body: { email: 'new@shop.example', role: 'viewer' } }
  const invited = await member.call(`/console/api/projects/${shop.project}/members/invitations`, invitation)
  expect(invited.status).toBe(201)
  const view = { method: 'POST', body: { name: 'All', query: '' } }
  expect((await member.call(`/console/api/projects/${shop.project}/saved-views`, view)).status).toBe(201)
  await send('PUT', '/quality-rules', { rules: [{ code: 'priced', kind: 'price_present', points: 1 }] })
  const webhook = await send('POST', '/webhooks', {
    url: 'https://receiver.invalid/',
    types: ['webhook.disabled'],
  })
  await service.database.query(sql`
    insert into webhook_attempts (project_id, webhook_id, at, event_id, type, try, milliseconds)
    values (${shop.project}, ${webhook.id}, now(), 'evt', 'product.created', 1, 1)`)
  await service.database.query(sql`
    insert into webhook_parked (project_id, webhook_id, event_id, cursor, number, position, type, tries)
    values (${shop.project}, ${webhook.id}, 'evt', '0', 1, 1, 'product.created', 5)`)
  const hash = 'a'.repeat(64)
  await service.database.query(sql`
    insert into assets (project_id, hash, kind, mime, bytes, state, file)
    values (${shop.project}, ${hash}, 'image', 'image/png', 1, 'ready', '0123456789abcdef')`)
  await service.database.query(sql`insert into asset_uses values (${shop.project}, ${hash}, ${id})`)
  await service.database.query(sql`insert into asset_storage values (${shop.project}, 1)`)
  await service.database.query(sql`
    insert into asset_files (project_id, hash, file, bytes, due_at) values (${shop.project}, ${hash}, 'f', 1, 'infinity')`)
  await service.database.query(sql`
    insert into ai_providers (project_id, name, kind, base_url, currency, models, concurrency)
    values (${shop.project}, 'own', 'openai-compatible', 'https://models.example/v1', 'EUR', '[]', 4)`)
  await addUsage(service.database, new Map([[shop.project, 1]]))
  await addActivity(service.database, new Map([[shop.project, new Map([['api Shop', 1]])]]))
  await service.database.query(sql`
    insert into access_requests (project_id, name, email, purpose, created_by) values (${shop.project}, 'a', 'b', 'c', 'd')`)
  await service.database.query(
    sql`insert into rate_limit_buckets values (${shop.project}, now()) on conflict do nothing`,
  )
  return shop
}

describe('a project that is deleted', () => {
  test('every table with project rows is emptied or retained on purpose', async () => {
    const known = [
      ...beforeProducts,
      'products',
      ...productTables,
      ...afterProducts,
      ...deletedWithProject,
      ...retainedTables,
    ]
    expect(await tablesOfProjects()).toEqual([...new Set(known)].sort())
  })

  test('leaves only its audit trail, which shows its name and who deleted it', async () => {
    const [shop, other] = [await fullProject(), await fullProject()]
    const before = await rowsOf(other.project)
    expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])

    await deleteProject(service.database, actor, shop.project)
    expect(await rowsOf(shop.project)).toEqual(await gone())
    expect(await rowsOf(other.project)).toEqual(before)
    expect((await shop.call('/v2/products')).body.code).toBe('invalid_token')
    expect((await other.call('/v2/products')).body.count).toBe(61)
    // What a service counted before is added up with that of others.
    await addUsage(service.database, new Map([shop, other].map(({ project }) => [project, 1])))
    expect((await rowsOf(shop.project))['project_usage']).toBe(0)

    const admin = await consoleUser(service, { operator: true })
    const { body } = await admin.call('/console/api/operator/audit?page_size=500')
    const lines = body.results.filter(({ project }: { project: { id: number } | null }) => {
      return project?.id === shop.project
    })
    expect(lines.map(({ action }: { action: string }) => action)).toEqual([
      ...[
        'project.delete',
        'project.close',
        'webhook.create',
        'member.invite',
        'token.create',
        'project.create',
      ],
    ])
    expect(lines[0]).toMatchObject({ actor: actor.name, details: { name: 'Test', plan: 'enterprise' } })
    for (const { project } of lines) expect(project.name).toBe('Test')
    expect((await admin.call(`/console/api/projects/${shop.project}/products`)).status).toBe(404)
  })

  test('is closed to clients when its deletion is interrupted, and another deletion finishes it', async () => {
    const shop = await fullProject()
    const cut = deleteProject(service.database, actor, shop.project, () => {
      throw new Error('cut off')
    })
    await expect(cut).rejects.toThrow('cut off')
    expect((await shop.call('/v2/products')).status).toBe(401)
    expect((await rowsOf(shop.project))['products']).toBe(61)
    await deleteProject(service.database, actor, shop.project)
    expect(await rowsOf(shop.project)).toEqual(await gone())
    await expect(deleteProject(service.database, actor, shop.project)).rejects.toThrow('There is no project')
  })

  test('returns 401, 403 or 404 to concurrent writes, and never fails', async () => {
    const shop = await fullProject()
    const statuses = new Map<number, number>()
    let number = 0
    const works: (() => [string, string, unknown?])[] = [
      () => [
        'POST',
        '/products',
        { sku: `N-${number}`, name: 'New', categories: [{ name: `N${number % 9}` }] },
      ],
      () => ['POST', '/products', { sku: `M-${number}`, name: 'New' }],
      () => ['PUT', `/products/by-sku/P-${number % 60}`, { name: `Put ${number}` }],
      () => [
        'POST',
        '/products/bulk',
        Array.from({ length: 50 }, (_, at) => ({ sku: `P-${at}`, name: `Pushed ${number}` })),
      ],
      () => [
        'POST',
        '/products/bulk',
        Array.from({ length: 50 }, (_, at) => ({ sku: `B-${number}-${at}`, name: 'Pushed' })),
      ],
      () => ['POST', '/categories', { name: `C-${number}` }],
      () => ['POST', '/prompts', { name: `Prompt ${number}`, prompt_text: 'x' }],
      () => ['GET', '/products?expand=detail&status=pending'],
      () => ['GET', '/products/export'],
    ]
    // Each continues until its token is rejected, so some requests are always in progress.
    const writer = async (work: (typeof works)[number]) => {
      for (;;) {
        number += 1
        const [method, path, body] = work()
        const { status, text } = await shop.call(`/v2${path}`, { method, body })
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        expect(status, `${method} ${path}: ${text}`).toBeLessThan(500)
        if (status === 401) return
      }
    }
    const writers = [...works, ...works].map(writer)
    await expect.poll(() => statuses.get(200) ?? 0).toBeGreaterThan(20)
    const deleted = deleteProject(service.database, actor, shop.project)
    await Promise.all([deleted, ...writers])
    const odd = [...statuses.keys()].filter((status) => ![200, 201, 401, 403, 404, 409].includes(status))
    expect(odd).toEqual([])
    await expect.poll(() => rowsOf(shop.project)).toEqual(await gone())
  })

  test('a write that overlaps the deletion reports that the project is gone', async () => {
    const shop = await service.tenant()
    let begun: Promise<unknown> = Promise.resolve()
    await service.database.transaction(async (tx) => {
      // As the deletion does it, but slowly.
      await tx.query(sql`select from projects where id = ${shop.project} for update`)
      begun = shop.call('/v2/categories', { method: 'POST', body: { name: 'Late' } })
      await expect
        .poll(async () => {
          const rows = await service.database.query(sql`
            select from pg_stat_activity where wait_event_type = 'Lock' and query like '%insert into categories%'`)
          return rows.length
        })
        .toBeGreaterThan(0)
      await tx.query(sql`delete from tokens where project_id = ${shop.project}`)
      await tx.query(sql`delete from projects where id = ${shop.project}`)
    })
    expect(await begun).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})
