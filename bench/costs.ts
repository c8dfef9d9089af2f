import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../src/database/database.ts'
import { sql } from '../src/database/sql.ts'
import { load, type Path } from './load.ts'
import { type Effort, readWorks } from './reads.ts'
import { type Served, serveBare } from './served.ts'
import { readText, type Shop } from './shop.ts'
import { median } from './throw-away.ts'

/** Microseconds of processor time that one request takes: of the thread that serves, the process, its database, the load. */
export type Cost = Record<'perSecond' | 'thread' | 'service' | 'database' | 'load', number>
export type CostRow = Cost & { name: string }

/** Each does all that the one before does, and more: bare node:http, the framework, the token, a row of its own for everyone. */
export async function measureCosts(
  database: Database,
  service: Served,
  shop: Shop,
  { rounds, seconds }: Effort,
): Promise<CostRow[]> {
  const works = await readWorks(shop)
  const pathOf = (name: string): Path => works.find((work) => work.name === name)?.path ?? ''
  const bare = await serveBare(await readText(shop, `/v2/products/${shop.ids[0]}`))
  const steps = [
    { name: 'bare node:http, the body of a detail', served: bare, path: '/' },
    { name: 'GET /healthz', served: service, path: '/healthz' },
    { name: 'GET /v2/project', served: service, path: '/v2/project' },
    ...['W2 list, first page', 'W1 detail, random id'].map((name) => ({
      name,
      served: service,
      path: pathOf(name),
    })),
  ].map((step) => ({ ...step, costs: [] as Cost[] }))
  for (let round = 0; round < rounds; round += 1)
    for (const { served, path, costs } of steps) {
      const before = await spent(database, served.pid)
      const { perSecond } = await load(served.url, shop.token, path, seconds)
      const after = await spent(database, served.pid)
      const each = (name: keyof typeof before) => (after[name] - before[name]) / (perSecond * seconds)
      costs.push({
        perSecond,
        thread: each('thread'),
        service: each('service'),
        database: each('database'),
        load: each('load'),
      })
    }
  await bare.stop()
  return steps.map(({ name, costs }) => {
    const of = (part: keyof Cost) => median(costs.map((cost) => cost[part]))
    return {
      name,
      perSecond: of('perSecond'),
      thread: of('thread'),
      service: of('service'),
      database: of('database'),
      load: of('load'),
    }
  })
}

async function spent(database: Database, pid: number): Promise<Omit<Cost, 'perSecond'>> {
  const processes = await database.query(sql<{ pid: number }>`select pid from pg_stat_activity`)
  const { user, system } = process.cpuUsage()
  return {
    thread: ran(`/proc/${pid}/task/${pid}`),
    service: ranInAll(pid),
    database: processes.reduce((sum, { pid }) => sum + ranInAll(pid), 0),
    load: user + system,
  }
}

function ranInAll(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ran(`/proc/${pid}/task/${thread}`), 0)
}

/** Linux counts in nanoseconds. */
function ran(task: string): number {
  return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1000
}
