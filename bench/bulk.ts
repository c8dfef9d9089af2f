import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import type { Database, Transaction } from '../src/platform/database/database.ts'
import { raw, sql } from '../src/platform/database/sql.ts'
import { withoutTriggers } from './fill.ts'
import { type BulkRates, describeBulk } from './report.ts'
import { serveCatalog } from './servers/served.ts'
import { median, onTemporaryDatabase } from './servers/temporary-database.ts'

/** Products per second of a push and a proposal of 10,000 lines over HTTP, compared with one plain insert … select. */
export const lines = 10_000
const rounds = 6

function product(round: number, number: number, edition: number): object {
  const attributes = Array.from({ length: 8 }, (_, index) => [
    `attribute${index}`,
    index % 4 === 0 ? number + edition : `value ${(number * 31 + edition) % (100 * (index + 1))}`,
  ])
  return {
    sku: `R${round}-${number}`,
    name: `Product ${number} of many, edition ${edition}`,
    description: 'A sentence that describes it. '.repeat(8),
    short_description: 'What it is, in one line',
    price: ((number + edition) % 5_000) + 0.95,
    status: number % 4 === 0 ? 'pending' : 'active',
    categories: [{ name: `Shelf ${(number + edition) % 50}` }, { name: `Room ${number % 7}` }],
    attributes: Object.fromEntries(attributes),
    inventory: { quantity: number % 90 },
  }
}

export function bodyOf(round: number, edition: number): Buffer {
  const text = Array.from({ length: lines }, (_, number) => JSON.stringify(product(round, number, edition)))
  return Buffer.from(text.join('\n'))
}

type Summary = Record<string, unknown>

/** Products per second for the client, and the response. */
async function post(
  address: string,
  token: string,
  type: 'x-ndjson' | 'json',
  body: Buffer,
): Promise<{ rate: number; response: { id: number; summary: Summary } }> {
  const started = performance.now()
  const text = await new Promise<string>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': `application/${type}`,
      'content-length': body.length,
    }
    const sent = request(address, { method: 'POST', headers }, async (response) => {
      const parts: Buffer[] = []
      for await (const part of response) parts.push(part as Buffer)
      resolve(Buffer.concat(parts).toString())
    })
    sent.on('error', reject).end(body)
  })
  const response = JSON.parse(text)
  if (response.summary === undefined) throw new Error(text)
  return { rate: lines / ((performance.now() - started) / 1000), response }
}

function requireAll(summary: Summary | undefined, name: string): void {
  if (summary?.[name] !== lines) throw new Error(`not all ${name}: ${JSON.stringify(summary)}`)
}

export async function push(url: string, token: string, body: Buffer, outcome: string): Promise<number> {
  const { rate, response } = await post(`${url}/v2/products/bulk`, token, 'x-ndjson', body)
  requireAll(response.summary, outcome)
  return rate
}

/** Products per second of two concurrent pushes, which create different products. */
async function pushTwo(url: string, token: string, round: number): Promise<number> {
  const bodies = [bodyOf(100 + round, 0), bodyOf(200 + round, 0)]
  const started = performance.now()
  await Promise.all(bodies.map((body) => push(url, token, body, 'created')))
  return (2 * lines) / ((performance.now() - started) / 1000)
}

/** A push without events. */
async function pushWithoutEvents(
  database: Database,
  url: string,
  token: string,
  round: number,
): Promise<number> {
  let rate = 0
  const work = async () => {
    rate = await push(url, token, bodyOf(300 + round, 0), 'created')
  }
  await withoutTriggers(database, work, 'events')
  return rate
}

/** Proposes changes and applies them. */
async function proposeAndApply(url: string, token: string, body: Buffer) {
  const proposed = await post(`${url}/v2/proposals`, token, 'x-ndjson', body)
  requireAll(proposed.response.summary['states'] as Summary, 'open')
  const address = `${url}/v2/proposals/${proposed.response.id}/apply`
  const applied = await post(address, token, 'json', Buffer.from('{}'))
  requireAll(applied.response.summary['states'] as Summary, 'applied')
  return { 'proposed changes': proposed.rate, 'applied changes': applied.rate }
}

/** Writes the rows of a push again for another project with plain SQL, into the same indexes. */
async function plainInsert(database: Database, from: number, to: number, prefix: string): Promise<number> {
  return database.transaction(async (tx) => {
    await tx.query(sql`
      insert into categories (project_id, name) select ${to}, name from categories where project_id = ${from}
      on conflict do nothing`)
    await prepareRows(tx, from, to, prefix)
    const started = performance.now()
    await tx.query(sql`
      insert into products (project_id, id, sku, name, search_text, description, short_description, price, status, product_type,
        attributes, tracked, quantity, reserved, low_stock_threshold, backorders, category_ids, quality_score, quality_failed, quality_rules_version)
      select ${to}, new_id, sku, name, search_text, description, short_description, price, status, product_type,
        attributes, tracked, quantity, reserved, low_stock_threshold, backorders, new_category_ids, quality_score, quality_failed, quality_rules_version
      from copied`)
    await tx.query(sql`
      insert into product_categories (project_id, product_id, category_id, status, product_type)
      select ${to}, new_id, category_id, status, product_type from copied_links`)
    await tx.query(sql`
      insert into product_history (project_id, product_id, version, changed_at, actor, source, before, after)
      select ${to}, new_id, version, changed_at, actor, source, before, after from copied_history`)
    return lines / ((performance.now() - started) / 1000)
  })
}

/** Copies the rows to temporary tables, so that only the insert is measured. */
async function prepareRows(tx: Transaction, from: number, to: number, prefix: string): Promise<void> {
  await tx.query(sql`create temporary table copied on commit drop as
    select nextval('products_id_seq') as new_id, product.*, array(
        select fresh.id from categories as known
        join categories as fresh on fresh.project_id = ${raw(String(to))} and fresh.name = known.name
        where known.project_id = product.project_id and known.id = any(product.category_ids)) as new_category_ids
    from products as product
    where project_id = ${raw(String(from))} and starts_with(sku, ${raw(`'${prefix}'`)})`)
  await tx.query(sql`create temporary table copied_links on commit drop as
    select new_id, unnest(new_category_ids) as category_id, status, product_type from copied`)
  await tx.query(sql`create temporary table copied_history on commit drop as
    select copied.new_id, history.version, history.changed_at, history.actor, history.source, history.before, history.after
    from copied join product_history as history
      on history.project_id = copied.project_id and history.product_id = copied.id`)
}

const actor = { name: 'bench' }

/** Medians of the rounds. Each round creates its own products. */
export async function measureBulk(): Promise<BulkRates> {
  const results: BulkRates[] = []
  await onTemporaryDatabase(async (database, _connection, folder) => {
    const { id: project } = await createProject(database, actor, { name: 'Bench', plan: 'enterprise' })
    const { id: other } = await createProject(database, actor, { name: 'Plain', plan: 'enterprise' })
    await changeProject(database, actor, project, { rateLimit: 'none' })
    const { token } = await issueToken(database, actor, project)
    const service = await serveCatalog(folder)
    try {
      for (let round = 0; round < rounds; round += 1) {
        const first = bodyOf(round, 0)
        const fresh = await push(service.url, token, first, 'created')
        const plain = await plainInsert(database, project, other, `R${round}-`)
        const withoutEvents = await pushWithoutEvents(database, service.url, token, round)
        const together = await pushTwo(service.url, token, round)
        const unchanged = await push(service.url, token, first, 'unchanged')
        // Alternates the order: a later change finds more dead row versions.
        const change = () => push(service.url, token, bodyOf(round, 1), 'updated')
        const early = round % 2 === 0 ? await change() : undefined
        const proposal = await proposeAndApply(service.url, token, bodyOf(round, 2))
        const changed = early ?? (await change())
        results.push({
          new: fresh,
          'new, without events': withoutEvents,
          'new, two pushes at once': together,
          unchanged,
          changed,
          ...proposal,
          plain,
        })
      }
    } finally {
      await service.stop()
    }
  })
  const of = (name: keyof BulkRates) => median(results.map((round) => round[name]))
  return {
    new: of('new'),
    'new, without events': of('new, without events'),
    'new, two pushes at once': of('new, two pushes at once'),
    unchanged: of('unchanged'),
    changed: of('changed'),
    'proposed changes': of('proposed changes'),
    'applied changes': of('applied changes'),
    plain: of('plain'),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(describeBulk(await measureBulk()))
