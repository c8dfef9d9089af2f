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
  /** Deliveries of webhooks. Without a connection of their own they share that of the background. */
  deliveries: { least: 0, share: 1 },
  /** Batches of jobs: one connection for each heavy kind. They share that of the background likewise. */
  jobs: { least: 0, share: 3 },
} as const

export type ConnectionClass = keyof typeof classes
export type ConnectionShares = Readonly<Record<ConnectionClass, number>>

export const connectionClasses = Object.keys(classes) as ConnectionClass[]
export const leastConnections = Object.values(classes).reduce((sum, { least }) => sum + least, 0)
const ofProjects = new Set<ConnectionClass>(['writes', 'waiting', 'bulk', 'exports'])
const ofJobs = new Set<ConnectionClass>(['deliveries', 'jobs'])
/** How many batches of one project's pushes are written at once, where there is room. */
export const mostBatchesOfProject = 3

/** With this many connections each class has exactly its shares. */
export const usualConnections = leastConnections + sumOfShares(true)

function shareOf(name: ConnectionClass, runsJobs: boolean): number {
  return ofJobs.has(name) && !runsJobs ? 0 : classes[name].share
}

function sumOfShares(runsJobs: boolean): number {
  return connectionClasses.reduce((sum, name) => sum + shareOf(name, runsJobs), 0)
}

/** The connections of one worker by class; their sum is the total. One worker of a process runs jobs. */
export function shareConnections(total: number, runsJobs = true): ConnectionShares {
  if (total < leastConnections)
    throw new Error(`${total} connections are too few; a worker needs ${leastConnections}`)
  const spare = total - leastConnections
  const shares = sumOfShares(runsJobs)
  let given = 0
  let sharesBefore = 0
  const entries = connectionClasses.map((name) => {
    sharesBefore += shareOf(name, runsJobs)
    const upTo = Math.round((spare * sharesBefore) / shares)
    const size = classes[name].least + upTo - given
    given = upTo
    return [name, size] as const
  })
  return Object.fromEntries(entries) as ConnectionShares
}

/** How many connections of a class one project may use at once. */
export function mostOfProject(name: ConnectionClass, size: number): number {
  if (!ofProjects.has(name)) return size
  if (name === 'bulk') return Math.max(1, Math.min(mostBatchesOfProject, size - 1))
  return Math.max(1, Math.ceil(size / 2))
}
