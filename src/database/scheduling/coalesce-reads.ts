/** Reads under the id of what is read. Callers who ask for the same at the same time get the same value. */
export type CoalescedReads<Value> = (id: string, load: () => Promise<Value>) => Promise<Value>

/**
 * Reads that are the same, and arrive in one turn or while one like them is under way, share the next run. A list that
 * everybody asks for at once is then read once at a time; each caller still reads after its request arrived.
 */
export function coalesceReads<Value>(): CoalescedReads<Value> {
  const upcoming = new Map<string, Promise<Value>>()
  const running = new Map<string, Promise<void>>()

  async function runAfter(before: Promise<void>, id: string, load: () => Promise<Value>): Promise<Value> {
    await before
    upcoming.delete(id)
    const value = load()
    const ended = value.then(ignore, ignore)
    running.set(id, ended)
    void ended.then(() => running.get(id) === ended && running.delete(id))
    return value
  }

  return (id, load) => {
    const joined = upcoming.get(id)
    if (joined !== undefined) return joined
    const run = runAfter(running.get(id) ?? nextTurn(), id, load)
    upcoming.set(id, run)
    return run
  }
}

function ignore(): void {}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
