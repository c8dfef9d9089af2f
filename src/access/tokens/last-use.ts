import type { Queryable } from '../../platform/database/database.ts'
import { touchTokens } from './token.sql.ts'

export type LastUse = ReturnType<typeof recordLastUse>

/** Remembers which tokens were used. A flush stores that, so that no request waits for the write. */
export function recordLastUse() {
  const used = new Set<number>()
  return {
    mark: (tokenId: number) => void used.add(tokenId),
    async flush(database: Queryable): Promise<void> {
      if (used.size === 0) return
      const ids = [...used].sort((a, b) => a - b)
      used.clear()
      try {
        await touchTokens(database, ids)
      } catch (error) {
        // Not lost: the next flush writes them.
        for (const id of ids) used.add(id)
        throw error
      }
    },
  }
}
