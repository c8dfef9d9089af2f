import { readdirSync, readFileSync } from 'node:fs'
import type { Database } from '../src/platform/database/database.ts'
import { sql } from '../src/platform/database/sql.ts'
import { load, type Measured } from './load.ts'
import type { Effort } from './reads.ts'
import { type Served, serveBare } from './served.ts'
import { readText, type Shop } from './shop.ts'
import { median } from './throw-away.ts'
import { randomWorks } from './works.ts'

const parts = ['thread', 'service', 'database', 'load'] as const

/** Microseconds of processor time that one request takes: of the thread that serves, the process, its database, the load. */
type Cost = Record<(typeof parts)[number] | 'perSecond', number>
export type CostRow = Cost & { name: string }

/** Bare node:http, the framework, the token, then reads in which everybody asks for something else. */
export async function measureCosts(
  database: Database,
  service: Served,
  shop: Shop,
  { rounds, seconds }: Effort,
): Promise<CostRow[]> {
  const works = await randomWorks(shop)
  const bare = await serveBare(await readText(shop, `/v2/products/${shop.ids[0]}`))
  const steps = [
    { name: 'bare node:http, the body of a detail', served: bare, path: '/' },
    { name: 'GET /healthz', served: service, path: '/healthz' },
    { name: 'GET /v2/project', served: service, path: '/v2/project' },
    ...works.map(({ name, path }) => ({ name, served: service, path })),
  ].map((step) => ({ ...step, costs: [] as Cost[] }))
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const { served, path, costs } of steps)
        costs.push(await costOf(database, served, () => load(served.url, shop.token, path, seconds), seconds))
  } finally {
    await bare.stop()
  }
  return steps.map(({ name, costs }) => {
    const of = (part: keyof Cost) => median(costs.map((cost) => cost[part]))
    return { name, ...eachPart(of), perSecond: of('perSecond') }
  })
}

async function costOf(
  database: Database,
  { pid }: Served,
  run: () => Promise<Measured>,
  seconds: number,
): Promise<Cost> {
  const before = await spent(database, pid)
  const { perSecond } = await run()
  const after = await spent(database, pid)
  // A connection may have come since; one that has gone was idle.
  const inDatabase = [...after.backends].map(([backend, time]) => time - (before.backends.get(backend) ?? 0))
  const total = {
    thread: after.thread - before.thread,
    service: after.service - before.service,
    database: inDatabase.reduce((sum, time) => sum + time, 0),
    load: after.load - before.load,
  }
  return { perSecond, ...eachPart((part) => total[part] / (perSecond * seconds)) }
}

async function spent(database: Database, pid: number) {
  const backends = await database.query(
    sql<{ pid: number }>`select pid from pg_stat_activity where backend_type = 'client backend'`,
  )
  const { user, system } = process.cpuUsage()
  return {
    thread: ran(`/proc/${pid}/task/${pid}`),
    service: ranInAll(pid),
    backends: new Map(backends.map((backend) => [backend.pid, ran(`/proc/${backend.pid}`)])),
    load: user + system,
  }
}

function eachPart(value: (part: (typeof parts)[number]) => number): Omit<Cost, 'perSecond'> {
  return Object.fromEntries(parts.map((part) => [part, value(part)])) as Omit<Cost, 'perSecond'>
}

function ranInAll(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + ran(`/proc/${pid}/task/${thread}`), 0)
}

/** Linux counts in nanoseconds. What has just ended has no time of its own any more. */
function ran(task: string): number {
  try {
    return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1000
  } catch {
    return 0
  }
}
