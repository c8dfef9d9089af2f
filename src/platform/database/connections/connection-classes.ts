import { databaseLimits } from '../../limits/database.ts'

/**
 * What a connection is used for. Each class has its own connections, so that no kind of work can take those of another:
 * exports, pushes, waiting writers and broad queries do not delay reads and tokens. Connections beyond the minimum of each
 * class are divided by share. In most classes, one project cannot use all connections.
 */
const classes = {
  /** Tokens, sessions, point reads and pages with precomputed counts: each takes about a millisecond. */
  reads: { least: 1, share: 4 },
  /** Lists whose plan depends on the filter values, and details of many products. */
  lists: { least: 1, share: 3 },
  /** Single writes. A write that has to wait for a locked row moves to the class below. */
  writes: { least: 2, share: 2 },
  /** Writes that wait for a locked row. */
  waiting: { least: 2, share: 0 },
  /** Batches of a push. */
  bulk: { least: 2, share: 2 },
  /** Snapshots, each open until its client has read the export. */
  exports: { least: 2, share: 2 },
  /** Short statements that no request waits for: the job queue, event numbering, counters. */
  background: { least: 1, share: 0 },
  /** Webhook deliveries. Without a connection of their own, they share the background connection. */
  deliveries: { least: 0, share: 0 },
  /** Job batches. Without a connection of their own, they share the background connection. */
  jobs: { least: 0, share: 0 },
} as const

export type ConnectionClass = keyof typeof classes
/** Classes with the same session settings share a pool; their limits separate their shares. */
const sharedPools = { exports: 'lists', deliveries: 'background', jobs: 'background' } as const
export type PoolName = Exclude<ConnectionClass, keyof typeof sharedPools>
export type ConnectionShares = Readonly<Record<ConnectionClass, number>>

export const connectionClasses = Object.keys(classes) as ConnectionClass[]
export const minConnections = Object.values(classes).reduce((sum, { least }) => sum + least, 0)
const ofProjects = new Set<ConnectionClass>(['writes', 'waiting', 'bulk', 'exports'])

const shares = Object.values(classes).reduce((sum, { share }) => sum + share, 0)
/** Beyond the minimum, the worker that runs jobs gets these first: one for deliveries, and one for each heavy job kind. */
const maxForJobs = 4

/** The number of connections with which every class of a single worker has its share. */
export function defaultConnections(workers: number): number {
  return Math.max(minConnections + maxForJobs + shares, minConnections * workers + maxForJobs)
}

/** The first worker of a process runs the jobs and gets their connections. */
export function connectionsOfWorker(total: number, workers: number, worker: number): ConnectionShares {
  const ofJobs = Math.min(maxForJobs, total - minConnections * workers)
  const each = Math.floor((total - ofJobs) / workers)
  return worker === 0 ? shareConnections(each + ofJobs) : shareConnections(each, false)
}

/** The connections of one worker by class; their sum is the total. */
export function shareConnections(total: number, runsJobs = true): ConnectionShares {
  if (total < minConnections)
    throw new Error(`${total} database connections are not enough; a worker needs ${minConnections}`)
  const ofJobs = runsJobs ? Math.min(maxForJobs, total - minConnections) : 0
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

/** How many connections of a class one project can use at once. */
export function maxPerProject(name: ConnectionClass, size: number): number {
  if (!ofProjects.has(name)) return size
  if (name === 'bulk') return Math.max(1, Math.min(databaseLimits.batchesOfProject, size - 1))
  return Math.max(1, Math.ceil(size / 2))
}
