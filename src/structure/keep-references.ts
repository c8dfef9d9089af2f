import type { Queryable } from '../database/database.ts'
import { insertReferences, referenceRows, rehashVariants, replaceReferences } from './references.sql.ts'
import { linkKinds, type Structured } from './structure.schema.ts'

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
  if (naming.length === 0) return
  const idBySku = new Map(written.map(({ id, sku }) => [sku, id]))
  const products = naming.flatMap(({ content, axes }) => {
    const id = idBySku.get(content.sku)
    return id === undefined ? [] : [{ id, references: referenceRows(content, axes) }]
  })
  await insertReferences(tx, projectId, products)
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
  const parents = changes.filter(({ steps }) => steps.some(({ after }) => 'variant_axes' in after))
  if (parents.length > 0)
    await rehashVariants(
      tx,
      projectId,
      parents.map(({ row }) => row.id),
    )
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
