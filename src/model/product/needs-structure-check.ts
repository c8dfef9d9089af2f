import type { Content, Differences } from './product-content.ts'

/** A product with the changes of a write. Includes the axes of a variant if they matter. */
export type Written = {
  created: unknown
  steps: readonly Differences[]
  adjustments: readonly unknown[]
  content: Content
  axes?: readonly string[] | undefined
}

const structural = ['product_type', 'variant_axes', 'parent', 'components'] as const
const composed = ['configurable', 'bundle', 'grouped']

/** Whether a write changes the structure of a product, or stock that can depend on other products. Most writes do neither. */
export function needsStructureCheck({ created, steps, adjustments, content, axes }: Written): boolean {
  return (
    axes !== undefined ||
    (created !== undefined && isStructural(content)) ||
    steps.some(({ after }) => structural.some((field) => field in after)) ||
    (isStructural(content) && steps.some(({ after }) => 'sku' in after || 'attributes' in after)) ||
    canAdjustComputedStock({ adjustments, content })
  )
}

export function canAdjustComputedStock({
  adjustments,
  content,
}: Pick<Written, 'adjustments' | 'content'>): boolean {
  return adjustments.length > 0 && composed.includes(content.product_type)
}

/** A variant that waits for its parent has no axes yet. */
function isStructural({ product_type, parent, components }: Content): boolean {
  return product_type === 'configurable' || parent !== null || components.length > 0
}
