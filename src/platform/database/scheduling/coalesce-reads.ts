import { failureOf } from '../failures.ts'

/**
 * Reads under the id of what is read. Callers who ask for the same at the same time get the same value. The signal of the read
 * aborts when those of all its callers have.
 */
export type CoalescedReads<Value> = (
  id: string,
  load: (signal: AbortSignal) => Promise<Value>,
  signal: AbortSignal | undefined,
) => Promise<Value>

type Shared<Value> = { value: Promise<Value>; join: (signal: AbortSignal) => void }

/**
 * Reads that are the same, and arrive in one turn or while one like them is under way, share the next run. A list that
 * everybody asks for at once is then read once at a time; each caller still reads after its request arrived.
 */
export function coalesceReads<Value>(): CoalescedReads<Value> {
  const upcoming = new Map<string, Shared<Value>>()
  /** Each resolves with its error, if it fails. */
  const running = new Map<string, Promise<unknown>>()

  async function runAfter(before: Promise<unknown>, id: string, load: () => Promise<Value>): Promise<Value> {
    const failure = await before
    upcoming.delete(id)
    // The server is away or hangs: this read would only wait for a second time limit.
    if (failureOf(failure) === 'database_unavailable') throw failure
    const value = load()
    const ended = value.then(ignore, (error) => error)
    running.set(id, ended)
    void ended.then(() => running.get(id) === ended && running.delete(id))
    return value
  }

  return (id, load, signal) => {
    const shared = upcoming.getOrInsertComputed(id, () => {
      const { left, join } = signal === undefined ? forStayingCallers : untilAllAbort()
      return { value: runAfter(running.get(id) ?? nextTurn(), id, () => load(left)), join }
    })
    if (signal !== undefined) shared.join(signal)
    return shared.value
  }
}

/** Callers without a signal wait for the read, whatever becomes of their clients. */
const forStayingCallers = { left: new AbortController().signal, join: ignore }

function untilAllAbort() {
  const all = new AbortController()
  let present = 0
  return {
    left: all.signal,
    join(signal: AbortSignal): void {
      present += 1
      const leave = () => {
        present -= 1
        if (present === 0) all.abort(signal.reason)
      }
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    },
  }
}

function ignore(): void {}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
