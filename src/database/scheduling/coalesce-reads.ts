/**
 * Reads that are the same, and arrive in one turn or while one like them is under way, share the next run. A list that
 * everybody asks for at once is then read once at a time; each caller still reads after its request arrived.
 */
export function coalesceReads<Key, Value>(
  identify: (key: Key) => string,
  load: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const upcoming = new Map<string, Promise<Value>>()
  const running = new Map<string, Promise<void>>()

  async function runAfter(before: Promise<void>, id: string, key: Key): Promise<Value> {
    await before
    upcoming.delete(id)
    const value = load(key)
    const ended = value.then(ignore, ignore)
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

function ignore(): void {}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
