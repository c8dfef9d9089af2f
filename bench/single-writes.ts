import pg from 'pg'
import { loadConfig } from '../src/config.ts'
import { rateLimitMemory } from '../src/http/rate-limit.ts'
import { changeProject, createProject } from '../src/projects/manage-project.ts'
import { startService } from '../src/service.ts'
import { issueToken } from '../src/tokens/issue-token.ts'
import { median, onThrowAwayDatabase } from './throw-away.ts'

/** Creates and updates a second by 32 clients in one project, beside the same rows written by plain prepared SQL. */
const clients = 32
const seconds = 4
const rounds = 3

type Write = (client: number, turn: number) => Promise<void>

/** Writes a second. Every client waits for its last write before the next. */
async function rate(write: Write): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let turn = 0; performance.now() < end; turn += 1) {
        await write(client, turn)
        done += 1
      }
    }),
  )
  return done / seconds
}

const attributes = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`attribute${index}`, `value ${index}`]),
)
const description = 'A sentence that describes it. '.repeat(8)

function overHttp(url: string, token: string, label: string) {
  const send = async (method: string, path: string, body: object): Promise<{ id: number }> => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id: number }
  }
  const ids: number[] = []
  const create: Write = async (client, turn) => {
    const { id } = await send('POST', '/v2/products', {
      sku: `${label}-${client}-${turn}`,
      name: `Product ${turn}`,
      description,
      price: turn,
      attributes,
    })
    ids[client] ??= id
  }
  const update: Write = async (client, turn) => {
    await send('PATCH', `/v2/products/${ids[client]}`, { price: turn + 0.5 })
  }
  return { create, update }
}

async function overSql(connection: pg.ClientConfig, project: number, label: string) {
  const pool = await Promise.all(
    Array.from({ length: clients }, async () => {
      const client = new pg.Client(connection)
      await client.connect()
      return client
    }),
  )
  const ids: number[] = []
  const create: Write = async (client, turn) => {
    const sku = `${label}-${client}-${turn}`
    const { rows } = await (pool[client] as pg.Client).query({
      name: 'create',
      text: `insert into products (project_id, sku, name, search_text, description, price, attributes, quality_score, quality_failed, quality_rules_version)
             values ($1, $2, $3, $4, $5, $6, $7, 50, '{}', 1) returning id`,
      values: [
        project,
        sku,
        `Product ${turn}`,
        `product ${turn}\n${sku}`,
        description,
        turn,
        JSON.stringify(attributes),
      ],
    })
    ids[client] ??= rows[0].id
  }
  const update: Write = async (client, turn) => {
    await (pool[client] as pg.Client).query({
      name: 'update',
      text: 'update products set price = $3, version = version + 1, updated_at = clock_timestamp() where project_id = $1 and id = $2',
      values: [project, ids[client], turn + 0.5],
    })
  }
  return { create, update, end: () => Promise.all(pool.map((client) => client.end())) }
}

await onThrowAwayDatabase(async (database, connection) => {
  const { id: project } = await createProject(database, { name: 'Bench', plan: 'enterprise' })
  await changeProject(database, project, { rateLimit: 'none' })
  const { token } = await issueToken(database, project)
  const service = await startService({
    config: loadConfig({ port: 0, logLevel: 'silent' }, {}),
    connection,
    rateLimits: rateLimitMemory(),
  })
  const results: Record<string, number[]> = {
    'create, service': [],
    'create, SQL': [],
    'update, service': [],
    'update, SQL': [],
  }
  for (let round = 0; round < rounds; round += 1) {
    const http = overHttp(service.url, token, `h${round}`)
    const plain = await overSql(connection, project, `s${round}`)
    results['create, service']?.push(await rate(http.create))
    results['create, SQL']?.push(await rate(plain.create))
    results['update, service']?.push(await rate(http.update))
    results['update, SQL']?.push(await rate(plain.update))
    await plain.end()
  }
  await service.drain()
  const of = (name: string) => median(results[name] ?? [])
  console.log('| Work | Service, a second | Plain SQL, a second | Ratio |\n|---|---|---|---|')
  for (const work of ['create', 'update']) {
    const ours = of(`${work}, service`)
    const plain = of(`${work}, SQL`)
    console.log(`| ${work} | ${ours.toFixed(0)} | ${plain.toFixed(0)} | ${(ours / plain).toFixed(2)} |`)
  }
})
