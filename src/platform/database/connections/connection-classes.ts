import { databaseLimits } from '../../limits/database.ts'

/**
 * What a connection is used for. Each class has connections of its own, so that no kind of work can take those of another:
 * reads and tokens are answered whatever exports, pushes, waiting writers or broad queries do. Of those that a process has beyond
 * the least of each class, a class gets its share. In a class of projects one project leaves room to the others.
 */
const classes = {
  /** Tokens, sessions, point reads, and pages that are counted by their filters: each takes a millisecond. */
  reads: { least: 1, share: 4 },
  /** Lists whose plan depends on their values, and details of many products. */
  lists: { least: 1, share: 3 },
  /** Single writes. Whoever would have to wait for another writer's row goes to the class below. */
  writes: { least: 2, share: 2 },
  /** Writes that wait for a row. */
  waiting: { least: 2, share: 0 },
  /** Batches of a push. */
  bulk: { least: 2, share: 2 },
  /** Snapshots, each held for as long as its reader takes. */
  exports: { least: 2, share: 2 },
  /** Short statements that no request waits for: the queue of jobs, numbering of events, counters. */
  background: { least: 1, share: 0 },
  /** Deliveries of webhooks. Where no connection is left for them, they share that of the background. */
  deliveries: { least: 0, share: 0 },
  /** Batches of jobs. They share the connection of the background likewise. */
  jobs: { least: 0, share: 0 },
} as const

export type ConnectionClass = keyof typeof classes
/** Classes whose sessions have the same settings share a pool; their limits keep their shares apart. */
const sharedPools = { exports: 'lists', deliveries: 'background', jobs: 'background' } as const
export type PoolName = Exclude<ConnectionClass, keyof typeof sharedPools>
export type ConnectionShares = Readonly<Record<ConnectionClass, number>>

export const connectionClasses = Object.keys(classes) as ConnectionClass[]
export const minConnections = Object.values(classes).reduce((sum, { least }) => sum + least, 0)
const ofProjects = new Set<ConnectionClass>(['writes', 'waiting', 'bulk', 'exports'])

const shares = Object.values(classes).reduce((sum, { share }) => sum + share, 0)
/** Beyond the least, the worker that runs jobs gets these first: deliveries 1, and jobs one for each heavy kind. */
const mostOfJobs = 4

/** With this many connections every class of a single worker has its share. */
export function defaultConnections(workers: number): number {
  return Math.max(minConnections + mostOfJobs + shares, minConnections * workers + mostOfJobs)
}

/** The first worker of a process runs jobs, and gets the connections for them. */
export function connectionsOfWorker(total: number, workers: number, worker: number): ConnectionShares {
  const ofJobs = Math.min(mostOfJobs, total - minConnections * workers)
  const each = Math.floor((total - ofJobs) / workers)
  return worker === 0 ? shareConnections(each + ofJobs) : shareConnections(each, false)
}

/** The connections of one worker by class; their sum is the total. */
export function shareConnections(total: number, runsJobs = true): ConnectionShares {
  if (total < minConnections)
    throw new Error(`${total} connections are too few; a worker needs ${minConnections}`)
  const ofJobs = runsJobs ? Math.min(mostOfJobs, total - minConnections) : 0
  const deliveries = Math.min(1, ofJobs)
  const spare = total - minConnections - ofJobs
  let given = 0
  let sharesBefore = 0
  const entries = connectionClasses.map((name) => {
    sharesBefore += classes[name].share
    const upTo = Math.round((spare * sharesBefore) / shares)
    const size = classes[name].least + upTo - given
    given = upTo
    return [name, size] as const
  })
  return { ...(Object.fromEntries(entries) as ConnectionShares), deliveries, jobs: ofJobs - deliveries }
}

export function poolOf(name: ConnectionClass): PoolName {
  return name in sharedPools ? sharedPools[name as keyof typeof sharedPools] : (name as PoolName)
}

/** How many connections of a class one project may use at once. */
export function maxPerProject(name: ConnectionClass, size: number): number {
  if (!ofProjects.has(name)) return size
  if (name === 'bulk') return Math.max(1, Math.min(databaseLimits.batchesOfProject, size - 1))
  return Math.max(1, Math.ceil(size / 2))
}
