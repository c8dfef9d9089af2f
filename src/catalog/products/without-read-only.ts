import { withoutSameStock } from '../../model/product/compare-read-only.ts'
import type { ProductDetail } from '../../model/product/product.schema.ts'
import type { ProductPatch } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { rejectChangedReadOnly, type SentReadOnly } from '../../platform/http/body/read-only-fields.ts'

type ShowProduct = (database: Queryable, row: ProductRow) => Promise<ProductDetail>

/** The read-only fields that a write sent, and a function that shows the product for comparison. */
export type ReadOnly = { sent: SentReadOnly; show: ShowProduct }

/** Rejects read-only fields that differ from the locked product, and returns the write without unchanged stock. */
export async function withoutReadOnly<Write extends ProductPatch>(
  database: Queryable,
  readOnly: ReadOnly | undefined,
  row: ProductRow,
  write: Write,
): Promise<Write> {
  if (readOnly === undefined) return write
  const current = await readOnly.show(database, row)
  rejectChangedReadOnly(readOnly.sent, current)
  return withoutSameStock(write, readOnly.sent, current)
}
