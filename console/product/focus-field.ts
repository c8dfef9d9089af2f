import { splitField } from '../../src/model/fields/field-paths.ts'

/** The element ID of a field's control, the target of errors and quality rules. */
export const fieldId = (field: string) => `field:${field}`

/** Waits until the element is rendered. */
export function focusSoon(id: string): void {
  requestAnimationFrame(() => document.getElementById(id)?.focus())
}

/** Focuses the control of the field or of its group. */
export function focusField(field: string): void {
  const [group] = splitField(field)
  const control = document.getElementById(fieldId(field)) ?? document.getElementById(fieldId(group))
  control?.scrollIntoView({ block: 'center' })
  control?.focus({ preventScroll: true })
}
