import { splitField } from './draft/draft-fields.ts'

const words: Record<string, string> = {
  sku: 'SKU',
  product_type: 'Type',
  variant_axes: 'Variant axes',
  short_description: 'Short description',
  'links.related': 'Related products',
  'links.upsell': 'Upsell',
  'links.cross_sell': 'Cross-sell',
  'inventory.tracked': 'Stock is tracked',
  'inventory.backorders': 'Backorders',
  'inventory.quantity': 'Quantity',
  'inventory.reserved': 'Reserved',
  'inventory.low_stock_threshold': 'Low stock from',
}

/** What people read instead of the name on the wire. */
export function fieldLabel(field: string): string {
  const known = words[field]
  if (known !== undefined) return known
  const [group, name] = splitField(field)
  return name ?? group.charAt(0).toUpperCase() + group.slice(1).replaceAll('_', ' ')
}

/** The id of the control of a field, by which faults and rules of the score lead there. */
export const fieldId = (field: string) => `field:${field}`

/** Once what is about to be shown is there. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}

/** The control of the field, or of the group that it belongs to. */
export function focusField(field: string): void {
  const [group] = splitField(field)
  const control = document.getElementById(fieldId(field)) ?? document.getElementById(fieldId(group))
  control?.scrollIntoView({ block: 'center' })
  control?.focus({ preventScroll: true })
}
