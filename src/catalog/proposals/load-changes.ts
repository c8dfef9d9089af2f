import type { Transaction } from '../../platform/database/database.ts'
import type { LockedProducts } from './locked-products.ts'
import { findChanges, type OpenLine } from './proposal-line.sql.ts'

/** The lines, with what their fields were where somebody may have changed the product since: its version tells. */
export async function loadChanges(
  tx: Transaction,
  projectId: number,
  proposalId: number,
  lines: OpenLine[],
  { byId }: LockedProducts,
): Promise<OpenLine[]> {
  const times = new Map<number | null, number>()
  for (const { product_id } of lines) times.set(product_id, (times.get(product_id) ?? 0) + 1)
  const isUntouched = ({ outcome, product_id, base_version }: OpenLine) =>
    outcome === 'created' ||
    (product_id !== null && times.get(product_id) === 1 && byId.get(product_id)?.version === base_version)
  const numbers = lines.flatMap((line) => (line.changes === null && !isUntouched(line) ? line.line : []))
  if (numbers.length === 0) return lines
  const changes = await findChanges(tx, projectId, proposalId, numbers)
  return lines.map((line) => ({ ...line, changes: changes.get(line.line) ?? line.changes }))
}
