import { databaseLimits } from '../../limits/database.ts'
import { limitConcurrency } from '../../scheduling/concurrency-limit.ts'
import { doublingPauses, pauseAfter } from '../../scheduling/retry.ts'

type Connect = <Client>(open: () => Promise<Client>) => Promise<Client>

const retries = { pauses: doublingPauses(40, 400), jitter: 0.3 }

/**
 * Opens connections without a storm. While the server is away one caller at a time tries, after pauses that grow; all others are
 * told at once what the last try has met. The pauses are of random length, so that services that lost their server at the same
 * moment do not come back at the same moment.
 */
export function connectWithBackoff(): Connect {
  const limit = limitConcurrency({ most: databaseLimits.openings, patienceSeconds: 0 })
  let away: { error: unknown; failures: number; until: number } | undefined
  let isTrying = false

  function failed(error: unknown): void {
    const failures = (away?.failures ?? 0) + 1
    away = { error, failures, until: performance.now() + (pauseAfter(failures, retries) ?? 0) }
  }

  async function attempt<Client>(open: () => Promise<Client>): Promise<Client> {
    const isProbe = away !== undefined
    if (away !== undefined && (isTrying || performance.now() < away.until)) throw away.error
    isTrying ||= isProbe
    try {
      const client = await open()
      away = undefined
      return client
    } catch (error) {
      // Those that set out together fail together: they are one failure.
      if (isProbe || away === undefined) failed(error)
      throw error
    } finally {
      if (isProbe) isTrying = false
    }
  }

  return (open) => limit.run(() => attempt(open))
}
