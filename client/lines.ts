import type { Event, ProductPush } from './generated.ts'
import { CatalogProblem } from './problem.ts'
import type { ReadOptions, Send } from './request.ts'

/** A product as exports contain it and pushes accept it. */
export type ExportedProduct = ProductPush & { id: number; version: number; sku: string; name: string }

export async function* linesOf(
  send: Send,
  query?: object,
  options?: ReadOptions & { retries?: number },
): AsyncGenerator<ExportedProduct, void> {
  for await (const line of read(send, '/v2/products/export', query, options))
    if (line !== '') yield parse(line)
}

export async function* eventsOf(
  send: Send,
  query?: object,
  options?: ReadOptions,
): AsyncGenerator<Event, void> {
  let type = ''
  for await (const line of read(send, '/v2/events/stream', query, options)) {
    const [, field, text = ''] = /^(event|data): ?(.*)/.exec(line) ?? []
    if (field === 'event') type = text
    if (field !== 'data') continue
    const data = parse(text)
    if (type === 'closing') throw new CatalogProblem({ status: 0, ...data })
    yield data
  }
}

/** The lines of a response, with one part of it in memory at a time. */
async function* read(
  send: Send,
  path: string,
  query?: object,
  options?: ReadOptions,
): AsyncGenerator<string, void> {
  const call = { ...options, method: 'GET', path, query, isRepeatable: true }
  const body = await send(call, async (response) => response.body)
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const part = await reader?.read().catch((error: Error) => {
        options?.signal?.throwIfAborted()
        throw endedEarly(error.message)
      })
      if (part === undefined || part.done) break
      const lines = (rest + decoder.decode(part.value, { stream: true })).split('\n')
      rest = lines.pop() as string
      yield* lines
    }
    if (rest !== '') throw endedEarly('in the middle of a line')
  } finally {
    await reader?.cancel().catch(() => {})
  }
}

/** An error of JSON.parse would quote the response. */
function parse(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    const detail = 'A line of the response is not JSON. A proxy can have changed it.'
    throw new CatalogProblem({ status: 0, code: 'unexpected_response', detail })
  }
}

function endedEarly(reason: string): CatalogProblem {
  const detail = `The connection ended too early (${reason}).`
  return new CatalogProblem({ status: 0, code: 'connection_failed', detail })
}
