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

/* The table of references follows what the writer writes, in the same transaction. Products that name no others cost nothing here. */

export async function keepNewReferences(
  tx: Queryable,
  projectId: number,
  creations: readonly Creation[],
  written: readonly { id: number; sku: string }[],
): Promise<void> {
  const naming = creations.filter(({ content: { parent, components, links } }) => {
    return parent !== null || components.length > 0 || Object.keys(links).length > 0
  })
  const parents = creations.filter(({ content }) => content.product_type === 'configurable')
  if (naming.length + parents.length === 0) return
  const idBySku = new Map(written.map(({ id, sku }) => [sku, id]))
  const products = naming.flatMap(({ content, axes }) => {
    const id = idBySku.get(content.sku)
    return id === undefined ? [] : [{ id, references: referenceRows(content, axes) }]
  })
  await insertReferences(tx, projectId, products)
  const parentIds = parents.flatMap(({ content }) => idBySku.get(content.sku) ?? [])
  if (parentIds.length > 0) await bindVariants(tx, projectId, parentIds)
}

export async function keepChangedReferences(
  tx: Queryable,
  projectId: number,
  changes: readonly Change[],
): Promise<void> {
  const renamed = changes.flatMap((change) => {
    const kinds = changedKinds(change)
    if (kinds.length === 0) return []
    const references = referenceRows(change.content, change.axes).filter(({ kind }) => kinds.includes(kind))
    return [{ id: change.row.id, kinds, references }]
  })
  if (renamed.length > 0) await replaceReferences(tx, projectId, renamed)
  const parentsBy = (...fields: string[]) =>
    changes
      .filter(({ content }) => content.product_type === 'configurable')
      .filter(({ steps }) => steps.some(({ after }) => fields.some((field) => field in after)))
      .map(({ row }) => row.id)
  const told = parentsBy('variant_axes')
  if (told.length > 0) await rehashVariants(tx, projectId, told)
  const become = parentsBy('variant_axes', 'sku', 'product_type')
  if (become.length > 0) await bindVariants(tx, projectId, become)
}

/** The values of the attributes tell a variant apart. Of other kinds the rows stay: their parent was not looked at. */
function changedKinds({ steps, content: { parent } }: Change): string[] {
  const isChanged = (field: keyof Structured) => steps.some(({ after }) => field in after)
  return [
    ...(isChanged('parent') || (isChanged('attributes') && parent !== null) ? ['parent'] : []),
    ...(isChanged('components') ? ['component'] : []),
    ...(isChanged('links') ? linkKinds : []),
  ]
}
