import type { Queryable } from '../database/database.ts'
import { touchTokens } from './token.sql.ts'

const flushMilliseconds = 2_000

/** Remembers which tokens were used and writes it down every few seconds, apart from the requests themselves. */
export function recordLastUse(database: Queryable, onError: (error: unknown) => void) {
  const used = new Set<number>()

  async function flush(): Promise<void> {
    if (used.size === 0) return
    const ids = [...used].sort((a, b) => a - b)
    used.clear()
    await touchTokens(database, ids).catch(onError)
  }

  const timer = setInterval(flush, flushMilliseconds)
  timer.unref()
  return {
    mark: (tokenId: number) => void used.add(tokenId),
    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
