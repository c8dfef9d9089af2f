import { spawn } from 'node:child_process'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { changeProject, createProject } from '../src/projects/manage-project.ts'
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

/** The service as users run it: a process of its own. */
async function startServing(folder: string): Promise<{ url: string; stop: () => Promise<unknown> }> {
  const program = fileURLToPath(new URL('../bin/catalog', import.meta.url))
  const child = spawn(program, ['serve', '--port', '0', '--log-level', 'silent', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (.+)$/.exec(line)?.[1]
    if (url === undefined) continue
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    return { url, stop }
  }
  throw new Error('the service did not start')
}

function overHttp(url: string, token: string, label: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
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

await onThrowAwayDatabase(async (database, connection, folder) => {
  const { id: project } = await createProject(database, { name: 'Bench', plan: 'enterprise' })
  await changeProject(database, project, { rateLimit: 'none' })
  const { token } = await issueToken(database, project)
  const service = await startServing(folder)
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
  await service.stop()
  const of = (name: string) => median(results[name] ?? [])
  console.log('| Work | Service, a second | Plain SQL, a second | Ratio |\n|---|---|---|---|')
  for (const work of ['create', 'update']) {
    const ours = of(`${work}, service`)
    const plain = of(`${work}, SQL`)
    console.log(`| ${work} | ${ours.toFixed(0)} | ${plain.toFixed(0)} | ${(ours / plain).toFixed(2)} |`)
  }
})
