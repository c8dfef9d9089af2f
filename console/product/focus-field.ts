import { splitField } from '../../src/model/fields/field-paths.ts'

/** The id of the control of a field, by which fieldErrors and rules of the score lead there. */
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
