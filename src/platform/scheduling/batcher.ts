/** An item that waits for its batch. */
export type PendingItem<Item, Result> = {
  item: Item
  key: number | string
  resolve: (result: Result | PromiseLike<Result>) => void
  reject: (error: unknown) => void
}

export type Batching<Item, Result> = {
  /** Items of different groups do not wait for each other. */
  groupOf: (item: Item) => number | string
  keyOf: (item: Item) => number | string
  /** Merges an item into a waiting one with the same key, so that both share one result. Without it, they are in different batches. */
  join?: (first: Item, other: Item) => void
  /** Maximum number of items per batch, read before each batch. */
  maxItems: () => number
  sizeOf?: (item: Item) => number
  /** A batch takes no further item once its total size reaches this. */
  maxSize?: number
  /** How many batches of a group run at once. */
  atOnce?: number
  /**
   * Resolves or rejects every item. Returns an error if the waiting items of the group would fail too; they are then rejected with it.
   */
  run: (batch: PendingItem<Item, Result>[]) => Promise<unknown>
}

type Entry<Item, Result> = PendingItem<Item, Result> & { promise: Promise<Result> }
/** The waiting items in order, and the number of running batches. */
type Group<Item, Result> = { waiting: Map<unknown, Entry<Item, Result>>; running: number }

/** Runs items together if they arrive in one turn of the event loop or while the previous batch runs. A single item runs at once. */
export function createBatcher<Item, Result>({
  groupOf,
  keyOf,
  join,
  maxItems,
  sizeOf = () => 0,
  maxSize = Number.POSITIVE_INFINITY,
  atOnce = 1,
  run,
}: Batching<Item, Result>): (item: Item) => Promise<Result> {
  type Own = Group<Item, Result>
  const groups = new Map<number | string, Own>()

  function start(name: number | string): void {
    const group = groups.get(name)
    if (group === undefined) return
    while (group.waiting.size > 0 && group.running < atOnce) {
      group.running += 1
      void run(takeBatch(group.waiting)).then((failure) => {
        group.running -= 1
        if (failure !== undefined) rejectAll(group.waiting, failure)
        // Requests that have arrived in the meantime are read from their sockets first and join the batch.
        if (group.waiting.size > 0) setImmediate(start, name)
        else if (group.running === 0) groups.delete(name)
      })
    }
  }

  function takeBatch(waiting: Own['waiting']): PendingItem<Item, Result>[] {
    const batch: PendingItem<Item, Result>[] = []
    const keys = new Set<number | string>()
    const most = maxItems()
    let size = 0
    for (const [place, one] of waiting) {
      if (batch.length >= most || size >= maxSize) break
      if (keys.has(one.key)) continue
      waiting.delete(place)
      keys.add(one.key)
      batch.push(one)
      size += sizeOf(one.item)
    }
    return batch
  }

  function add(waiting: Own['waiting'], item: Item): Promise<Result> {
    const key = keyOf(item)
    const same = waiting.get(key)
    if (same !== undefined && join !== undefined) {
      join(same.item, item)
      return same.promise
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const one = { item, key, promise, resolve, reject }
    waiting.set(same === undefined ? key : one, one)
    return promise
  }

  return (item) => {
    const name = groupOf(item)
    const group = groups.getOrInsertComputed(name, () => ({ waiting: new Map(), running: 0 }))
    if (group.waiting.size === 0) setImmediate(start, name)
    return add(group.waiting, item)
  }
}

function rejectAll<Item, Result>(waiting: Map<unknown, PendingItem<Item, Result>>, failure: unknown): void {
  for (const { reject } of waiting.values()) reject(failure)
  waiting.clear()
}

/** Settles an item with the result of its own work. Returns the error if the work failed. */
export async function settle<Item, Result>(
  { item, resolve, reject }: PendingItem<Item, Result>,
  work: (item: Item) => Promise<Result>,
): Promise<unknown> {
  try {
    resolve(await work(item))
    return undefined
  } catch (error) {
    reject(error)
    return error
  }
}

/** Callers that arrive in one turn, or while the work runs, share its next run. */
export function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  const share = createBatcher<undefined, Result>({
    groupOf: () => 0,
    keyOf: () => 0,
    join: () => {},
    maxItems: () => 1,
    // A failure belongs to those that shared the run.
    run: async ([one]) => void (one && (await settle(one, work))),
  })
  return () => share(undefined)
}
