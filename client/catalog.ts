import { type Follow, follow } from './follow.ts'
import type { Event, ExportProductsQuery, StreamEventsQuery } from './generated.ts'
import { type ExportedProduct, eventsOf, linesOf } from './lines.ts'
import { type Groups, operations, version } from './operations.ts'
import { type PushedLine, type PushOptions, type PushSummary, push } from './push.ts'
import { type ReadOptions, type Send, type Settings, sender, type WriteOptions } from './request.ts'

interface Transfers {
  /** Pushes any number of products, or lines of an NDJSON file, in order. */
  push(lines: AsyncIterable<PushedLine> | Iterable<PushedLine>, options?: PushOptions): Promise<PushSummary>
  /** Exports products from one snapshot. */
  export(
    query?: Omit<ExportProductsQuery, 'format' | 'columns'>,
    options?: ReadOptions,
  ): AsyncGenerator<ExportedProduct, void>
}

interface EventStream {
  /** Streams events until the connection ends. `follow` reads all events, also after a lost connection. */
  stream(query?: StreamEventsQuery, options?: ReadOptions): AsyncGenerator<Event, void>
}

export interface Catalog extends Omit<Groups, 'products' | 'events'> {
  readonly products: Groups['products'] & Transfers
  readonly events: Groups['events'] & EventStream
}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor adds every group of the interface
export class Catalog {
  /** Copies the catalog, then reads its events, until `signal` aborts. */
  readonly follow: (options: Follow) => Promise<void>

  constructor(settings: Settings) {
    const send = sender(settings, warnOnce(settings.url))
    const groups: Record<string, Record<string, unknown>> = {}
    for (const [group, methods] of Object.entries(operations))
      groups[group] = Object.fromEntries(
        Object.entries(methods).flatMap(([name, text]) => methodsOf(send, name, text)),
      )
    const { products, events } = Object.assign(this, groups) as Record<string, object>
    Object.assign(products as object, {
      push: (lines: AsyncIterable<PushedLine>, options?: PushOptions) => push(send, lines, options),
      export: (query?: object, options?: ReadOptions) => linesOf(send, query, options),
    } satisfies Transfers)
    Object.assign(events as object, {
      stream: (query?: object, options?: ReadOptions) => eventsOf(send, query, options),
    } satisfies EventStream)
    this.follow = (options) => follow(send, options)
  }
}

/** The method of an operation; for a list, also the one that reads all its pages. */
function methodsOf(send: Send, name: string, text: string): [string, unknown][] {
  const [method = '', template = '', ...flags] = text.split(' ')
  const isRead = method === 'GET'

  const call = async (...inputs: unknown[]): Promise<unknown> => {
    const path = template.replaceAll(/\{\w+\}/g, () => encodeURIComponent(String(inputs.shift())))
    const query = isRead ? (inputs.shift() as object) : undefined
    const body = isRead || flags.includes('none') ? undefined : inputs.shift()
    const options = (inputs.shift() ?? {}) as WriteOptions<object>
    const { ifMatch } = options
    const idempotencyKey = flags.includes('key') && (options.idempotencyKey ?? crypto.randomUUID())
    const isFile = body instanceof Blob || body instanceof ArrayBuffer
    const type = isFile ? (options.contentType ?? (body as Blob).type ?? '') : 'application/json'
    return send(
      {
        ...options,
        ...{ method, path: (flags.includes('root') ? '' : '/v2') + path, query: query ?? options.query },
        body: isFile || body === undefined ? (body as Blob) : JSON.stringify(body),
        headers: {
          ...(body !== undefined && { 'content-type': type }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
        },
        isRepeatable: method === 'POST' ? !!idempotencyKey : method !== 'PATCH' || ifMatch !== undefined,
      },
      resultOf,
    )
  }

  async function* all(...inputs: unknown[]): AsyncGenerator<unknown, void> {
    const at = template.split('{').length - 1
    for (;;) {
      const { results, next } = (await call(...inputs)) as { results: unknown[]; next: string | null }
      yield* results
      if (!next) return
      inputs[at] = Object.fromEntries(new URL(next).searchParams)
    }
  }

  return flags.includes('pages')
    ? [
        [name, call],
        [name.replace('list', 'all'), all],
      ]
    : [[name, call]]
}

async function resultOf(response: Response): Promise<unknown> {
  const type = response.headers.get('content-type') ?? ''
  if (response.status === 204) return undefined
  if (type.includes('json')) return response.json()
  return type.startsWith('text/') ? response.text() : response.blob()
}

/** A newer service needs no warning, because the API only grows. */
function warnOnce(url: string) {
  let isWarned = false
  return ({ headers }: Response): void => {
    const served = headers.get('catalog-version')
    if (isWarned || served === null || served.localeCompare(version, 'en', { numeric: true }) >= 0) return
    isWarned = true
    console.warn(
      `catalog-client ${version} is newer than the service (${served}). Install the client from ${url}/client/`,
    )
  }
}
