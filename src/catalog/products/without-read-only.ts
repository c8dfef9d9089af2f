import { withoutSameStock } from '../../model/product/compare-read-only.ts'
import type { ProductDetail } from '../../model/product/product.schema.ts'
import type { ProductPatch } from '../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../model/product/product-row.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { rejectChangedReadOnly, type SentReadOnly } from '../../platform/http/body/read-only-fields.ts'

type ShowProduct = (database: Queryable, row: ProductRow) => Promise<ProductDetail>

/** What a write sent back of what only the service sets, and how a product is shown. */
export type ReadOnly = { sent: SentReadOnly; show: ShowProduct }

/** The write, once its read-only fields are found to be those of the locked product. A write without any costs nothing. */
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
