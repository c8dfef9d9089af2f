type Waiting<Value> = { resolve: (value: Value | undefined) => void; reject: (error: unknown) => void }
type Entry<Key, Value> = { key: Key; waiting: Waiting<Value>[] }

const keysPerStatement = 500

/**
 * Point reads that arrive in one turn of the event loop, or while the statement before is under way, share one statement.
 * Each caller still reads the database after its request's headers arrived, so nothing here is older than that.
 */
export function batchPerTurn<Key, Value>(
  identify: (key: Key) => string,
  load: (keys: Key[]) => Promise<Map<string, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let pending = new Map<string, Entry<Key, Value>>()
  let busy = false

  async function run(): Promise<void> {
    while (pending.size > 0) {
      const batch = [...pending.values()]
      pending = new Map(batch.slice(keysPerStatement).map((entry) => [identify(entry.key), entry]))
      await settle(batch.slice(0, keysPerStatement))
      // Whatever arrived meanwhile is read from its socket first, and comes along.
      await nextTurn()
    }
    busy = false
  }

  async function settle(batch: Entry<Key, Value>[]): Promise<void> {
    try {
      const found = await load(batch.map(({ key }) => key))
      for (const { key, waiting } of batch)
        for (const { resolve } of waiting) resolve(found.get(identify(key)))
    } catch (error) {
      for (const { waiting } of batch) for (const { reject } of waiting) reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      const id = identify(key)
      const entry = pending.get(id)
      if (entry === undefined) pending.set(id, { key, waiting: [{ resolve, reject }] })
      else entry.waiting.push({ resolve, reject })
      if (busy) return
      busy = true
      setImmediate(run)
    })
}

/**
 * Reads that are the same, and arrive in one turn or while one like them is under way, share the next run. A list that
 * everybody asks for at once is then read once at a time; each caller still reads after its request arrived.
 */
export function shareRuns<Key, Value>(
  identify: (key: Key) => string,
  load: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const upcoming = new Map<string, Promise<Value>>()
  const running = new Map<string, Promise<void>>()

  async function runAfter(before: Promise<void>, id: string, key: Key): Promise<Value> {
    await before
    upcoming.delete(id)
    const value = load(key)
    const ended = value.then(nothing, nothing)
    running.set(id, ended)
    void ended.then(() => running.get(id) === ended && running.delete(id))
    return value
  }

  return (key) => {
    const id = identify(key)
    const joined = upcoming.get(id)
    if (joined !== undefined) return joined
    const run = runAfter(running.get(id) ?? nextTurn(), id, key)
    upcoming.set(id, run)
    return run
  }
}

function nothing(): void {}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
