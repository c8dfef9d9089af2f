import type { Entries } from '../../../model/provenance/entries.ts'
import { showProvenance } from '../../../model/provenance/provenance.schema.ts'
import type { Queryable } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import { type Page, type PageRequest, selectPage } from '../../../platform/database/statements/select-page.ts'
import { jsonbBytes } from '../../../platform/database/statements/stored-bytes.ts'
import { shownAfter } from '../../past-contents/content-before.sql.ts'
import type { ProductChange } from './product-history.schema.ts'

/** The size of a change without its fields. */
const namesAndTimesBytes = 500
const changeBytes = sql`(
  coalesce(${jsonbBytes(sql`page.before`)}, 0) + ${jsonbBytes(sql`page.after`)}
  + coalesce(${jsonbBytes(sql`page.provenance`)}, 0) + ${namesAndTimesBytes}::int)`

type ChangeRow = Omit<ProductChange, 'provenance'> & { provenance: Entries | null }

/** Newest first. Every product has at least its creation. */
export async function listChanges(
  database: Queryable,
  projectId: number,
  productId: number,
  page: PageRequest,
  maxBytes: number,
): Promise<Page<ProductChange>> {
  const found = await selectPage<ChangeRow>(database, {
    columns: sql`version, changed_at, actor, source, before, ${shownAfter('change')} as after, provenance, proposal_id as proposal,
      score_before, score_after`,
    from: sql`product_history as change`,
    where: sql`project_id = ${projectId} and product_id = ${productId}`,
    orderBy: sql`version desc`,
    page,
    bound: { rowBytes: changeBytes, maxBytes },
  })
  const results = found.results.map((row) => ({ ...row, provenance: showProvenance(row.provenance ?? {}) }))
  return { ...found, results }
}
