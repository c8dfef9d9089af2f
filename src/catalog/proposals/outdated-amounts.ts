import { viewsWithAmounts } from '../../model/views/view-amounts.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { PushedLine } from '../batches/apply-line.ts'
import { listChangedCurrencies } from '../rulesets/changed-currencies.sql.ts'

const codesOf = (line: PushedLine) => ('errors' in line ? [] : viewsWithAmounts(line.product.views))

/** Adds an error to lines with a price in a view whose currency has changed since the price was proposed. */
export async function rejectOutdatedAmounts<Line extends PushedLine>(
  database: Queryable,
  projectId: number,
  since: string,
  lines: readonly Line[],
): Promise<PushedLine[]> {
  if (!lines.some((line) => codesOf(line).length > 0)) return [...lines]
  const changed = await listChangedCurrencies(database, projectId, since)
  return lines.map((one) => {
    const code = codesOf(one).find((view) => changed.has(view))
    if (code === undefined) return one
    const error = {
      pointer: `/views/${escapePointer(code)}/price`,
      code: 'view_currency_changed',
      message: 'is in the former currency of the view',
    }
    return { line: one.line, sku: one.sku, errors: [error] }
  })
}
