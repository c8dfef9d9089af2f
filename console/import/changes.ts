import { ProblemError, read, write, writeLines } from '../network.ts'
import { withRetries } from '../parts/retry.ts'
import type { Page, ProductDetail, Proposal, ProposalLine } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}/proposals`
/** 10,000 lines take seconds; 32 MiB over a slow line take minutes. */
const proposeSeconds = 600
/** As many as a page of the service has at most. */
const linesPerPage = 500

export type Mode = 'upsert' | 'create' | 'update'

type Proposing = { title: string; mode: Mode; body: Blob; key: string }

/** Ignores read-only fields: a file can come from another project with other IDs. */
export function proposeLines(
  project: number,
  { title, mode, body, key }: Proposing,
  signal: AbortSignal,
): Promise<Proposal> {
  const path = `${of(project)}?${new URLSearchParams({ title, mode, read_only: 'ignore' })}`
  return withRetries(() => writeLines(path, body, { signal, waitSeconds: proposeSeconds, key }), {
    pauseAfter,
    signal,
  })
}

/** Notifies the user. The import is complete without it, so a failure is not reported. */
export const reportEnd = (project: number, body: { title: string; proposals: number[] }) =>
  write('POST', `/console/api/projects/${project}/imports/finished`, body).catch(() => undefined)

/** Newest first. IDs follow the order of creation. */
export async function newestProposals(project: number, signal: AbortSignal): Promise<Proposal[]> {
  const path = `${of(project)}?ordering=-id&page_size=50`
  return (await withRetries(() => read<Page<Proposal>>(path, signal), { pauseAfter, signal })).results
}

/** All rejected lines of a proposal. */
export async function rejectedLines(
  project: number,
  id: number,
  signal: AbortSignal,
): Promise<ProposalLine[]> {
  const lines: ProposalLine[] = []
  for (let page = 1; ; page += 1) {
    const path = `${of(project)}/${id}/lines?state=rejected&page_size=${linesPerPage}&page=${page}`
    const found = await withRetries(() => read<Page<ProposalLine>>(path, signal), { pauseAfter, signal })
    lines.push(...found.results)
    if (found.next === null) return lines
  }
}

/** Products that have one of the SKUs. Commas separate SKUs in a request, so a SKU that contains a comma needs its own request. */
export async function productsBySku(
  project: number,
  skus: readonly string[],
  signal: AbortSignal,
): Promise<ProductDetail[]> {
  const found: ProductDetail[] = []
  const { alone = [], together = [] } = Object.groupBy(skus, (sku) =>
    sku.includes(',') ? 'alone' : 'together',
  )
  const queries = [
    ...alone.map((sku) => ({ sku })),
    ...(together.length > 0 ? [{ sku__in: together.join(',') }] : []),
  ]
  for (const query of queries) {
    const all = new URLSearchParams({ ...query, expand: 'detail', page_size: String(linesPerPage) })
    const path = `/console/api/projects/${project}/products?${all}`
    found.push(
      ...(await withRetries(() => read<Page<ProductDetail>>(path, signal), { pauseAfter, signal })).results,
    )
  }
  return found
}

const maxAttempts = 5
/** Enough for the service to finish a request that was canceled here. */
const maxAttemptsInFlight = 300
const inFlightSeconds = 2
const longestWaitSeconds = 30

/** Waits as long as the service asks for. A request that was rejected by the rate limit changed nothing. */
export function pauseAfter(error: unknown, attempt: number): number | undefined {
  const isInFlight = error instanceof ProblemError && error.code === 'idempotency_in_flight'
  const seconds = isInFlight ? inFlightSeconds : secondsToWait(error)
  const most = isInFlight ? maxAttemptsInFlight : maxAttempts
  return seconds === undefined || seconds > longestWaitSeconds || attempt === most ? undefined : seconds
}

function secondsToWait(error: unknown): number | undefined {
  return error instanceof ProblemError && error.status === 429 ? error.retryAfterSeconds : undefined
}
