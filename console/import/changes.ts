import { ProblemError, read, writeLines } from '../network.ts'
import type { Page, Proposal, ProposalLine } from '../wire.ts'

const of = (project: number) => `/console/api/projects/${project}/proposals`
/** 10,000 lines take seconds; 32 MiB over a slow line take minutes. */
const proposeSeconds = 600
/** As many as a page of the service has at most. */
const linesPerPage = 500

export type Mode = 'upsert' | 'create' | 'update'

type Proposing = { title: string; mode: Mode; body: Blob; key: string }

/** A file may come from another project, whose ids say nothing here. */
export function proposeLines(
  project: number,
  { title, mode, body, key }: Proposing,
  signal: AbortSignal,
): Promise<Proposal> {
  const path = `${of(project)}?${new URLSearchParams({ title, mode, read_only: 'ignore' })}`
  return patiently(() => writeLines(path, body, { signal, waitSeconds: proposeSeconds, key }), signal)
}

/** The newest first; the service numbers proposals as they are made. */
export async function newestProposals(project: number, signal: AbortSignal): Promise<Proposal[]> {
  const path = `${of(project)}?ordering=-id&page_size=50`
  return (await patiently(() => read<Page<Proposal>>(path, signal), signal)).results
}

/** All lines of a proposal that were rejected. */
export async function rejectedLines(
  project: number,
  id: number,
  signal: AbortSignal,
): Promise<ProposalLine[]> {
  const lines: ProposalLine[] = []
  for (let page = 1; ; page += 1) {
    const path = `${of(project)}/${id}/lines?state=rejected&page_size=${linesPerPage}&page=${page}`
    const answer = await patiently(() => read<Page<ProposalLine>>(path, signal), signal)
    lines.push(...answer.results)
    if (answer.next === null) return lines
  }
}

const mostTries = 5
/** Until a request that was cancelled here has ended there. */
const mostTriesInFlight = 300
const inFlightSeconds = 2
const longestWaitSeconds = 30

/** Waits where the service says for how long. What it refused for coming too often has done nothing. */
async function patiently<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let tries = 1; ; tries += 1)
    try {
      return await call()
    } catch (error) {
      const isInFlight = error instanceof ProblemError && error.code === 'idempotency_in_flight'
      const seconds = isInFlight ? inFlightSeconds : secondsToWait(error)
      const most = isInFlight ? mostTriesInFlight : mostTries
      if (seconds === undefined || seconds > longestWaitSeconds || tries === most) throw error
      await waited(seconds, signal)
    }
}

function secondsToWait(error: unknown): number | undefined {
  return error instanceof ProblemError && error.status === 429 ? error.retryAfterSeconds : undefined
}

function waited(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1_000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
