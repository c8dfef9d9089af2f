import { collectWrites } from '../../platform/database/batching/collect-writes.ts'
import { touchTokens } from './token.sql.ts'

/** Collects which tokens were used. A flush stores the time. */
export function recordLastUse() {
  const { add, flush } = collectWrites<true>(
    (used) => used,
    (database, used) =>
      touchTokens(
        database,
        [...used.keys()].sort((a, b) => a - b),
      ),
  )
  return { mark: (tokenId: number) => add(tokenId, true), flush }
}
