import { databaseLimits } from '../../limits/database.ts'
import { createBatcher, type PendingItem, settle } from '../../scheduling/batcher.ts'
import { TooBusy } from '../../scheduling/concurrency-limit.ts'
import { DatabaseFailure, failureForWaiting } from '../failures.ts'

/** A read with the ID of its result. Its signal aborts when the signals of all callers have aborted. */
type SharedRead<Value> = {
  id: string
  load: (signal: AbortSignal) => Promise<Value>
  /** Without a signal, the caller waits for the read even if its client has disconnected. */
  signal: AbortSignal | undefined
  /** A read of several statements, each with its own time limit. The caller's limit then only applies until the read starts. */
  isLong?: boolean
}

export type ShareReads<Value> = (read: SharedRead<Value>) => Promise<Value>

type Caller = {
  signal: AbortSignal | undefined
  state: 'waiting' | 'reading' | 'gone'
  timer?: NodeJS.Timeout
}

/**
 * Reads with the same ID that arrive in one turn, or while such a read runs, share the next run and its value. A list that
 * many clients request at once is then read once at a time; each caller still reads after its request arrived. A caller that
 * waits behind reads that time out would wait for a multiple of their time limit, so it leaves after one; 0 lets it wait.
 */
export function shareReads<Value>(maxSeconds = 0): ShareReads<Value> {
  type Joined = Omit<SharedRead<Value>, 'signal'> & { callers: Caller[] }

  async function run([one]: PendingItem<Joined, Value>[]): Promise<unknown> {
    if (one === undefined) return undefined
    const { load, callers, isLong } = one.item
    const present = callers.filter(({ state }) => state === 'waiting')
    if (present.length === 0) return void one.reject(new TooBusy())
    for (const caller of present) {
      caller.state = 'reading'
      if (isLong === true) clearTimeout(caller.timer)
    }
    const signals = present.map(({ signal }) => signal)
    return failureForWaiting(await settle(one, () => load(whenAllAbort(signals))))
  }

  const share = createBatcher<Joined, Value>({
    groupOf: ({ id }) => id,
    keyOf: ({ id }) => id,
    join: (first, { callers }) => void first.callers.push(...callers),
    maxItems: () => 1,
    run,
  })
  return ({ signal, ...read }) => {
    const caller: Caller = { signal, state: 'waiting' }
    const value = share({ ...read, callers: [caller] })
    return maxSeconds === 0
      ? value
      : leaveAfter(value, caller, maxSeconds * 1000 + databaseLimits.sharedReadMilliseconds)
  }
}

function leaveAfter<Value>(value: Promise<Value>, caller: Caller, milliseconds: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    caller.timer = setTimeout(() => {
      reject(
        caller.state === 'waiting'
          ? new TooBusy()
          : new DatabaseFailure('query_timeout', new Error('the read took longer than one statement may')),
      )
      caller.state = 'gone'
    }, milliseconds)
    const settled = (settleCaller: () => void) => {
      clearTimeout(caller.timer)
      settleCaller()
    }
    value.then(
      (found) => settled(() => resolve(found)),
      (error) => settled(() => reject(error)),
    )
  })
}

const neverAborts = new AbortController().signal

function whenAllAbort(signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  if (signals.includes(undefined)) return neverAborts
  const all = new AbortController()
  let present = signals.length
  for (const signal of signals) {
    const leave = () => {
      present -= 1
      if (present === 0) all.abort(signal?.reason)
    }
    if (signal?.aborted === true) leave()
    else signal?.addEventListener('abort', leave, { once: true })
  }
  return all.signal
}
