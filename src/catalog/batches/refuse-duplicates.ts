import { axisValues } from '../../model/structure/check-structure.ts'
import type { Queryable } from '../../platform/database/database.ts'
import type { BodyFault } from '../../platform/http/problems.ts'
import { variantOf } from '../structure/duplicate-variant.ts'
import { findVariants } from '../structure/references.sql.ts'
import type { AppliedLine } from './apply-lines.ts'
import { type Looking, type Refusing, refuse, type Touched } from './refuse-lines.ts'

/** Refuses the lines that give a variant the values of another one. */
export async function refuseDuplicates(
  database: Queryable,
  { projectId, combinations, isLast }: Looking,
  products: readonly Touched[],
  refusing: Refusing,
): Promise<void> {
  const told = products.flatMap((touched) => {
    const { created, content, axes = [] } = touched.product
    const parent = content.parent
    if (parent === null || parent.id === null || axes.length === 0) return []
    if (created === undefined && !leaves(touched)) return []
    return [{ touched, sku: content.sku, parent, values: axisValues(content, axes) }]
  })
  const wanted = told.map(({ parent, values }) => ({ parent: parent.id as number, values }))
  const found = wanted.length === 0 ? [] : await findVariants(database, projectId, wanted)
  // Whoever leaves its values in this batch stands in nobody's way. In the end nobody counts on that, for it may be refused.
  const leaving = new Set(isLast ? [] : products.filter(leaves).map(({ product }) => product.id))
  const isOwn = (place: number, id: number) => told[place]?.touched.product.id === id
  const holderAt = new Map(
    found
      .filter(({ place, id }) => !leaving.has(id) && !isOwn(place, id))
      .map(({ place, id }) => [place, id]),
  )
  const keeping = new Set(found.filter(({ place, id }) => isOwn(place, id)).map(({ place }) => place))
  const met = new Map<string, number | undefined>()
  // Whoever keeps its values comes before those who want them.
  const places = [...told.entries()]
  const sorted = [
    ...places.filter(([place]) => keeping.has(place)),
    ...places.filter(([place]) => !keeping.has(place)),
  ]
  for (const [place, { touched, sku, parent, values }] of sorted) {
    const key = JSON.stringify([parent.id, values])
    const earlier = combinations.get(key)
    const isTaken = holderAt.has(place) || met.has(key) || (earlier !== undefined && earlier !== sku)
    if (isTaken) {
      const problem = variantOf(parent.sku, holderAt.get(place) ?? met.get(key))
      refuse(touched, ['attributes', 'parent'], pointed(problem.message), refusing)
    } else met.set(key, touched.product.id)
  }
}

/** Whether it may have other values, or another parent, than before. */
function leaves({ product: { steps } }: Touched): boolean {
  return steps.some(({ after }) => 'attributes' in after || 'parent' in after)
}

function pointed(message: string): BodyFault[] {
  return [{ pointer: '/attributes', code: 'duplicate_variant', message }]
}

/** Kept for the batches that follow, where nothing is written. */
export function rememberCombinations(
  applied: readonly AppliedLine[],
  combinations: Map<string, string>,
): void {
  for (const { product, outcome } of applied) {
    if (product?.axes === undefined || (outcome !== 'created' && outcome !== 'updated')) continue
    const { content, axes } = product
    if (content.parent?.id != null && axes.length > 0)
      combinations.set(JSON.stringify([content.parent.id, axisValues(content, axes)]), content.sku)
  }
}
