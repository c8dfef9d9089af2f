import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Database, openDatabase } from '../src/database/database.ts'
import { sql } from '../src/database/sql.ts'
import { createProject } from '../src/projects/manage-project.ts'
import { issueToken } from '../src/tokens/manage-token.ts'
import { type Serving, serve } from './catalog-process.ts'
import { bearer } from './served-shop.ts'
import { connectionUrl, ownDatabase } from './test-database.ts'

let url: string
let database: Database
let token: string
let ids: number[]

// Sixty products of nearly 1 MB each.
beforeAll(async () => {
  const connection = await ownDatabase('late')
  url = connectionUrl(connection)
  database = openDatabase({ connection, poolSize: 1, statementTimeoutSeconds: 30 })
  const { id: project } = await createProject(
    database,
    { name: 'tester' },
    {
      name: 'Large',
      plan: 'enterprise',
      currency: 'EUR',
    },
  )
  token = (await issueToken(database, { name: 'tester' }, project, {})).token
  const rows = await database.query(sql<{ id: number }>`
    insert into products (project_id, sku, name, search_text, status, product_type, attributes,
                          quality_score, quality_failed, quality_rules_version)
    select ${project}, 'L-' || n, 'Large', 'large' || chr(10) || 'l-' || n, 'active', 'simple',
           (select jsonb_object_agg('a' || a, repeat('x', 9300)) from generate_series(1, 100) as a), 50, array[]::text[], 1
    from generate_series(1, 60) as n returning id`)
  ids = rows.map(({ id }) => id)
})
afterAll(() => database.close())

/** Sends a request and reads no more of the answer than its status. */
async function readLate(service: Serving, path: string, method = 'GET', body = ''): Promise<number> {
  const { hostname, port } = new URL(service.url)
  const socket: Socket = connect(Number(port), hostname).on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(
    `${method} /v2/products${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${
      body === '' ? '' : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`
    }\r\n${body}`,
  )
  const status = await new Promise<string>((resolve) => {
    socket.once('readable', () => resolve(String(socket.read(12) ?? socket.read())))
  })
  return Number(status.slice(9, 12))
}

function readSoon({ url }: Serving, path: string): Promise<Response> {
  return fetch(`${url}/v2/products${path}`, { headers: bearer(token) })
}

/** Of the process, in MB: the most that it ever had. */
function peakMemory({ process: { pid } }: Serving): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1000
}

const fifty = Array.from({ length: 50 }, (_, index) => index)

describe.skipIf(process.platform !== 'linux')('clients that read late', () => {
  test('50 at a time, of products of 1 MB by every route, leave the service under 600 MB and others served', async () => {
    const service = await serve([], { DATABASE_URL: url })
    const single = await Promise.all(ids.map((id) => readLate(service, `/${id}`)))
    expect(single.every((status) => status === 200 || status === 503)).toBe(true)
    expect(single).toContain(200)
    const pages = await Promise.all(fifty.map(() => readLate(service, '?expand=detail&page_size=100')))
    expect(pages).toEqual(Array(50).fill(400))

    const smaller = await Promise.all(
      fifty.map((at) => readLate(service, `?expand=detail&page_size=7&page=${1 + (at % 8)}`)),
    )
    expect(smaller.every((status) => status === 200 || status === 503)).toBe(true)
    expect((await readSoon(service, '?page_size=20')).status).toBe(200)

    const exports = await Promise.all(fifty.map(() => readLate(service, '/export')))
    expect(exports.filter((status) => status === 200)).toHaveLength(2)
    const changes = await Promise.all(
      fifty.map((at) => readLate(service, `/${ids[at]}`, 'PATCH', `{"price":${at}}`)),
    )
    expect(changes.every((status) => status === 200 || status === 503)).toBe(true)
    expect((await readSoon(service, '?page_size=20')).status).toBe(200)
    expect(peakMemory(service)).toBeLessThan(600)
  })
})
