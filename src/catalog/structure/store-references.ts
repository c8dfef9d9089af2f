import { linkKinds } from '../../model/structure/link-kinds.ts'
import type { Structured } from '../../model/structure/structure.schema.ts'
import type { Queryable } from '../../platform/database/database.ts'
import {
  bindVariants,
  insertReferences,
  referenceRows,
  rehashVariants,
  replaceReferences,
} from './references.sql.ts'

type Axes = { axes?: readonly string[] | undefined }
type Creation = Axes & { content: Structured & { sku: string } }
type Change = Axes & { row: { id: number }; content: Structured; steps: readonly { after: object }[] }

/* Updates product_references in the transaction of the product write. Products without references cost no query. */

export async function storeNewReferences(
  tx: Queryable,
  projectId: number,
  creations: readonly Creation[],
  written: readonly { id: number; sku: string }[],
): Promise<void> {
  const referencing = creations.filter(({ content: { parent, components, links } }) => {
    return parent !== null || components.length > 0 || Object.keys(links).length > 0
  })
  const parents = creations.filter(({ content }) => content.product_type === 'configurable')
  if (referencing.length + parents.length === 0) return
  const idBySku = new Map(written.map(({ id, sku }) => [sku, id]))
  const products = referencing.flatMap(({ content, axes }) => {
    const id = idBySku.get(content.sku)
    return id === undefined ? [] : [{ id, references: referenceRows(content, axes) }]
  })
  await insertReferences(tx, projectId, products)
  const parentIds = parents.flatMap(({ content }) => idBySku.get(content.sku) ?? [])
  if (parentIds.length > 0) await bindVariants(tx, projectId, parentIds)
}

export async function storeChangedReferences(
  tx: Queryable,
  projectId: number,
  changes: readonly Change[],
): Promise<void> {
  const replaced = changes.flatMap((change) => {
    const kinds = changedKinds(change)
    if (kinds.length === 0) return []
    const references = referenceRows(change.content, change.axes).filter(({ kind }) => kinds.includes(kind))
    return [{ id: change.row.id, kinds, references }]
  })
  if (replaced.length > 0) await replaceReferences(tx, projectId, replaced)
  const parentsBy = (...fields: string[]) =>
    changes
      .filter(({ content }) => content.product_type === 'configurable')
      .filter(({ steps }) => steps.some(({ after }) => fields.some((field) => field in after)))
      .map(({ row }) => row.id)
  const newAxes = parentsBy('variant_axes')
  if (newAxes.length > 0) await rehashVariants(tx, projectId, newAxes)
  const newParents = parentsBy('variant_axes', 'sku', 'product_type')
  if (newParents.length > 0) await bindVariants(tx, projectId, newParents)
}

/** The kinds of references to replace. A parent row has the axis values, so a change of attributes replaces it, too. */
function changedKinds({ steps, content: { parent } }: Change): string[] {
  const isChanged = (field: keyof Structured) => steps.some(({ after }) => field in after)
  return [
    ...(isChanged('parent') || (isChanged('attributes') && parent !== null) ? ['parent'] : []),
    ...(isChanged('components') ? ['component'] : []),
    ...(isChanged('links') ? linkKinds : []),
  ]
}
