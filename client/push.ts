import type { ProductPush, PushAnswer, PushProductsQuery } from './generated.ts'
import { CatalogProblem } from './problem.ts'
import type { Send } from './request.ts'

/** A product, or a line of an NDJSON file. */
export type PushedLine = ProductPush | string

type Result = PushAnswer['results'][number]
/** The result of a line. `unknown`: the connection failed, and the client does not repeat `create`. */
export type Verdict =
  | Result
  | { line: number; sku: string | null; id: null; outcome: 'unknown'; errors: Result['errors'] }

/** How many lines have each outcome. */
export type PushSummary = PushAnswer['summary'] & { unknown: number }

export type PushOptions = Omit<PushProductsQuery, 'on_error'> & {
  /** Called once per line that is not empty, in order. The client sends the next part when it has settled. */
  onVerdict?: (verdict: Verdict) => void | Promise<void>
  signal?: AbortSignal | undefined
}

type Part = { lines: string[]; bytes: number }
const maxLines = 1000
const maxBytes = 4 * 1024 * 1024

/** Sends one part at a time, which limits memory and keeps the order. */
export async function push(
  send: Send,
  lines: AsyncIterable<PushedLine> | Iterable<PushedLine>,
  { onVerdict, signal, ...query }: PushOptions = {},
): Promise<PushSummary> {
  const summary: PushSummary = { lines: 0, created: 0, updated: 0, unchanged: 0, rejected: 0, unknown: 0 }
  let sent = 0
  for await (const part of partsOf(lines)) {
    for (const verdict of await verdictsOf(send, part, query, signal).catch(reportPlace)) {
      summary.lines++
      summary[verdict.outcome]++
      await onVerdict?.({ ...verdict, line: verdict.line + sent })
    }
    sent += part.lines.length
  }
  return summary

  function reportPlace(problem: Error): never {
    if (problem instanceof CatalogProblem)
      problem.message += ` The first ${sent} lines have results; push the later lines again.`
    throw problem
  }
}

async function* partsOf(lines: AsyncIterable<PushedLine> | Iterable<PushedLine>): AsyncGenerator<Part, void> {
  const encoder = new TextEncoder()
  let part: Part = { lines: [], bytes: 0 }
  for await (const line of lines) {
    // A line break inside a line would shift the numbers of all later lines.
    const text = typeof line === 'string' ? line.replaceAll(/[\r\n]+/g, ' ') : JSON.stringify(line)
    const bytes = encoder.encode(text).length + 1
    if (part.lines.length === maxLines || (part.bytes + bytes > maxBytes && part.lines.length > 0)) {
      yield part
      part = { lines: [], bytes: 0 }
    }
    part.lines.push(text)
    part.bytes += bytes
  }
  if (part.lines.length > 0) yield part
}

async function verdictsOf(
  send: Send,
  { lines }: Part,
  query: PushProductsQuery,
  signal?: AbortSignal,
): Promise<Verdict[]> {
  const isRepeatable = query.mode !== 'create'
  const call = {
    ...{ method: 'POST', path: '/v2/products/bulk', query, signal, isRepeatable },
    ...{ body: `${lines.join('\n')}\n`, headers: { 'content-type': 'application/x-ndjson' } },
    // A request over the rate limit has no effect.
    ...(!isRepeatable && { repeats: [429] }),
  }
  try {
    return (await send(call, async (response) => (await response.json()) as PushAnswer)).results
  } catch (problem) {
    const isUnknown = problem instanceof CatalogProblem && (problem.status === 0 || problem.status >= 500)
    if (isRepeatable || !isUnknown) throw problem
    // Like the service, which returns no results for empty lines.
    return lines.flatMap((text, index): Verdict[] =>
      text.trim() === ''
        ? []
        : [{ line: index + 1, sku: skuOf(text), id: null, outcome: 'unknown', errors: [] }],
    )
  }
}

function skuOf(text: string): string | null {
  try {
    return JSON.parse(text).sku ?? null
  } catch {
    return null
  }
}
