import { databaseLimits } from '../../limits/database.ts'
import { limitConcurrency } from '../../scheduling/concurrency-limit.ts'
import { doublingPauses, pauseAfter } from '../../scheduling/retry.ts'

type Connect = <Client>(open: () => Promise<Client>) => Promise<Client>

const retries = { pauses: doublingPauses(40, 400), jitter: 0.3 }

/**
 * Limits connection attempts while the server is unavailable. One caller at a time tries, after growing pauses; all others
 * get the error of the last attempt at once. The pauses are random, so that services that lost their server at the same
 * time do not reconnect at the same time.
 */
export function connectWithBackoff(): Connect {
  const limit = limitConcurrency({ most: databaseLimits.openings, maxWaitSeconds: 0 })
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
      // Attempts that started together count as one failure.
      if (isProbe || away === undefined) failed(error)
      throw error
    } finally {
      if (isProbe) isTrying = false
    }
  }

  return (open) => limit.run(() => attempt(open))
}
