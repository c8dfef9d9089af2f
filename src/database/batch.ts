type Waiting<Value> = { resolve: (value: Value | undefined) => void; reject: (error: unknown) => void }

const keysPerStatement = 500

/**
 * Point reads that arrive in one turn of the event loop share one statement. Each caller still reads the database after
 * its request arrived, so nothing here can be stale.
 */
export function batchPerTurn<Key, Value>(
  identify: (key: Key) => string,
  load: (keys: Key[]) => Promise<Map<string, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let pending = new Map<string, { key: Key; waiting: Waiting<Value>[] }>()

  async function flush(): Promise<void> {
    const batch = [...pending.values()]
    pending = new Map()
    for (let start = 0; start < batch.length; start += keysPerStatement) {
      void settle(batch.slice(start, start + keysPerStatement))
    }
  }

  async function settle(part: { key: Key; waiting: Waiting<Value>[] }[]): Promise<void> {
    try {
      const found = await load(part.map(({ key }) => key))
      for (const { key, waiting } of part)
        for (const { resolve } of waiting) resolve(found.get(identify(key)))
    } catch (error) {
      for (const { waiting } of part) for (const { reject } of waiting) reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (pending.size === 0) setImmediate(flush)
      const id = identify(key)
      const entry = pending.get(id)
      if (entry === undefined) pending.set(id, { key, waiting: [{ resolve, reject }] })
      else entry.waiting.push({ resolve, reject })
    })
}
