import type { Content, Differences } from './product-content.ts'

/** A product before and after a write: new, or changed in steps. Includes the axes of a variant if they matter. */
type Written = {
  created: unknown
  steps: readonly Differences[]
  adjustments: readonly unknown[]
  content: Content
  axes?: readonly string[] | undefined
}

const structural = ['product_type', 'variant_axes', 'parent', 'components'] as const
const composed = ['configurable', 'bundle', 'grouped']

/** Whether a write changes the structure of a product, or its stock may depend on other products. Most writes do neither. */
export function touchesStructure({ created, steps, adjustments, content, axes }: Written): boolean {
  return (
    axes !== undefined ||
    (created !== undefined && isStructural(content)) ||
    steps.some(({ after }) => structural.some((field) => field in after)) ||
    (isStructural(content) && steps.some(({ after }) => 'sku' in after || 'attributes' in after)) ||
    mayAdjustComputed({ adjustments, content })
  )
}

export function mayAdjustComputed({
  adjustments,
  content,
}: Pick<Written, 'adjustments' | 'content'>): boolean {
  return adjustments.length > 0 && composed.includes(content.product_type)
}

/** Variants that wait for their parent have no axes yet. */
function isStructural({ product_type, parent, components }: Content): boolean {
  return product_type === 'configurable' || parent !== null || components.length > 0
}
