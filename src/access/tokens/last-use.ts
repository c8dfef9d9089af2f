import { collectWrites } from '../../platform/database/batching/collect-writes.ts'
import { touchTokens } from './token.sql.ts'

/** Collects the used tokens. A flush stores the time of use. */
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
