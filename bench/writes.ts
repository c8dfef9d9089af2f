import { Agent, request } from 'node:http'
import pg from 'pg'
import type { Database } from '../src/database/database.ts'
import { repairCounts } from '../src/products/product-counts.sql.ts'
import { withoutTriggers } from './fill.ts'
import { connections } from './load.ts'
import { median } from './throw-away.ts'

type Write = (client: number, turn: number) => Promise<void>
type Writer = { create: Write; update: Write }
export type WriteRow = { work: string; service: number; uncounted: number; plain: number }

const attributes = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`attribute${index}`, `value ${index}`]),
)
const description = 'A sentence that describes it. '.repeat(8)

/** Writes a second. Every client waits for its last write before the next. */
async function rate(write: Write, seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: connections }, async (_, client) => {
      for (let turn = 0; performance.now() < end; turn += 1) {
        await write(client, turn)
        done += 1
      }
    }),
  )
  return done / seconds
}

function overHttp({ url, token }: { url: string; token: string }, label: string): Writer {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body: object): Promise<{ id: number }> =>
    new Promise((resolve, reject) => {
      const sent = request(url + path, { method, agent, headers }, (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () => {
          const text = Buffer.concat(parts).toString()
          if ((response.statusCode ?? 500) < 300) resolve(JSON.parse(text))
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
        })
      })
      sent.on('error', reject).end(JSON.stringify(body))
    })
  const ids: number[] = []
  return {
    async create(client, turn) {
      const fields = { sku: `${label}-${client}-${turn}`, name: `Product ${turn}`, description, price: turn }
      const { id } = await send('POST', '/v2/products', { ...fields, attributes })
      ids[client] ??= id
    },
    async update(client, turn) {
      await send('PATCH', `/v2/products/${ids[client]}`, { price: turn + 0.5 })
    },
  }
}

async function overSql(connection: pg.ClientConfig, project: number, label: string) {
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }),
  )
  const run = (client: number, name: string, text: string, values: unknown[]) =>
    (clients[client] as pg.Client).query({ name, text, values })
  const ids: number[] = []
  const writer: Writer = {
    async create(client, turn) {
      const sku = `${label}-${client}-${turn}`
      const text = `insert into products (project_id, sku, name, search_text, description, price, attributes, quality_score, quality_failed, quality_rules_version)
        values ($1, $2, $3, $4, $5, $6, $7, 50, '{}', 1) returning id`
      const searched = `product ${turn}\n${sku}`
      const values = [
        project,
        sku,
        `Product ${turn}`,
        searched,
        description,
        turn,
        JSON.stringify(attributes),
      ]
      const { rows } = await run(client, 'create', text, values)
      ids[client] ??= rows[0].id
    },
    async update(client, turn) {
      const text =
        'update products set price = $3, version = version + 1, updated_at = clock_timestamp() where project_id = $1 and id = $2'
      await run(client, 'update', text, [project, ids[client], turn + 0.5])
    },
  }
  return { writer, end: () => Promise.all(clients.map((client) => client.end())) }
}

type Place = { url: string; token: string; project: number }

/** Creates and updates a second: the service, the service without counting, and plain SQL, in turns. */
export async function measureWrites(
  database: Database,
  connection: pg.ClientConfig,
  place: Place,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<WriteRow[]> {
  const taken = { create: [] as number[][], update: [] as number[][] }
  for (let round = 0; round < rounds; round += 1) {
    const label = `${Date.now()}`
    const both = async (writer: Writer) => [
      await rate(writer.create, seconds),
      await rate(writer.update, seconds),
    ]
    const columns = [await both(overHttp(place, `h${label}`))]
    await withoutTriggers(database, async () => {
      columns.push(await both(overHttp(place, `u${label}`)))
      const { writer, end } = await overSql(connection, place.project, `s${label}`)
      columns.push(await both(writer))
      await end()
    })
    taken.create.push(columns.map(([create = 0]) => create))
    taken.update.push(columns.map(([, update = 0]) => update))
  }
  await database.transaction(repairCounts)
  return Object.entries(taken).map(([work, rows]) => {
    const of = (column: number) => median(rows.map((row) => row[column] ?? 0))
    return { work, service: of(0), uncounted: of(1), plain: of(2) }
  })
}
