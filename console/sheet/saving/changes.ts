import { pauseAfter } from '../../import/changes.ts'
import { randomKey, read, writeLines } from '../../network.ts'
import { withRetries } from '../../parts/retry.ts'
import type { ProductDetail, ProposalLine } from '../../wire.ts'

const of = (project: number) => `/console/api/projects/${project}/products`
const checkSeconds = 120

export const readProduct = (project: number, id: number, signal: AbortSignal) =>
  withRetries(() => read<ProductDetail>(`${of(project)}/${id}`, signal), { pauseAfter, signal })

type CheckedLine = { line: number; errors?: ProposalLine['errors'] }

/** What the service would reject, line by line. */
export async function checkLines(project: number, body: Blob, signal: AbortSignal): Promise<CheckedLine[]> {
  const path = `${of(project)}/bulk?dry_run=true&mode=update&read_only=ignore`
  const options = { signal, waitSeconds: checkSeconds, key: randomKey() }
  const { results } = await withRetries(() => writeLines<{ results: CheckedLine[] }>(path, body, options), {
    pauseAfter,
    signal,
  })
  return results
}
