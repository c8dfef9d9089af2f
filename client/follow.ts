import type { Event, EventPage } from './generated.ts'
import { type ExportedProduct, linesOf } from './lines.ts'
import { CatalogProblem } from './problem.ts'
import { pause, type Send } from './request.ts'

export type Follow = {
  /** The cursor that was saved last. Without one, the client copies the catalog first. */
  after?: string | undefined
  /** Only these event types, such as `product.*`. */
  types?: string[]
  /** Receives each product of the copy. A copy that fails starts again, so a product can arrive twice. */
  onCopy: (product: ExportedProduct) => void | Promise<void>
  /** Receives each event. If it throws, `follow` ends with the error. */
  onEvent: (event: Event) => void | Promise<void>
  /** Receives the cursor to save, after the copy and after each event that `onEvent` has settled. */
  onCursor?: (cursor: string) => void | Promise<void>
  /** Called if the feed no longer has the cursor, before the catalog is copied again. Without it, `follow` ends with the problem. */
  onRestart?: (problem: CatalogProblem) => void | Promise<void>
  signal?: AbortSignal | undefined
}

const waitSeconds = 25
const restarts: readonly string[] = ['feed_restarted', 'cursor_expired']

/** Repeats failed requests until `signal` aborts, because it runs as long as its program. */
export async function follow(send: Send, options: Follow): Promise<void> {
  const { onEvent, onCursor, onRestart, signal, types } = options
  let cursor = options.after

  async function moveTo(next: string): Promise<void> {
    if (next === cursor) return
    cursor = next
    await onCursor?.(next)
  }

  function readPage(after: string): Promise<EventPage> {
    const query = { after, types, limit: 500, wait: waitSeconds }
    const call = { method: 'GET', path: '/v2/events', query, signal, isRepeatable: true }
    const limits = { retries: Number.POSITIVE_INFINITY, timeoutSeconds: 2 * waitSeconds }
    return send({ ...call, ...limits }, (response) => response.json() as Promise<EventPage>)
  }

  while (!signal?.aborted) {
    try {
      if (cursor === undefined) await moveTo(await copy(send, options))
      const page = await readPage(cursor as unknown as string)
      for (const event of page.results) {
        if (signal?.aborted) return
        await onEvent(event)
        await moveTo(event.cursor)
      }
      await moveTo(page.cursor)
    } catch (problem) {
      if (signal?.aborted) return
      const isLost = problem instanceof CatalogProblem && restarts.includes(problem.code)
      if (!isLost || onRestart === undefined) throw problem
      await onRestart(problem)
      cursor = undefined
    }
  }
}

/** Returns the cursor of the export: later changes are events after it. */
async function copy(send: Send, { onCopy, signal }: Follow): Promise<string> {
  for (let step = 0; ; step++) {
    let cursor = ''
    const onResponse = ({ headers }: Response) => {
      cursor = headers.get('catalog-cursor') ?? '0'
    }
    const lines = linesOf(send, {}, { signal, onResponse, retries: Number.POSITIVE_INFINITY })
    try {
      for (;;) {
        const next = await lines.next().catch((problem: CatalogProblem) => {
          if (signal?.aborted || problem.code !== 'connection_failed') throw problem
        })
        if (next === undefined) break
        if (next.done) return cursor
        await onCopy(next.value)
      }
    } finally {
      // Otherwise, an error of onCopy would leave the connection open.
      await lines.return()
    }
    await pause(Math.random() * Math.min(10, 2 ** step), signal)
  }
}
