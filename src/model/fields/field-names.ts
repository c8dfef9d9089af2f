import type { BodyFault } from '../../platform/http/problems.ts'
import { nearest } from '../../platform/http/request/nearest.ts'
import { linkKinds } from '../structure/structure.schema.ts'
import { splitField } from './changed-fields.ts'
import { productFields } from './product-fields.ts'

const groupNames: Record<string, readonly string[]> = {
  links: linkKinds,
  inventory: ['tracked', 'low_stock_threshold', 'backorders'],
}
const names = [
  ...Object.keys(productFields),
  'inventory',
  ...Object.entries(groupNames).flatMap(([group, own]) => own.map((name) => `${group}.${name}`)),
]

/** Faults of a list of fields, each named as changes name them: `price`, `attributes.color`, or `attributes` for all of them. */
export function unknownFields(fields: readonly string[], pointer: string): BodyFault[] {
  return fields.flatMap((field, index) => {
    const [group, name] = splitField(field)
    const isKnown = group === 'attributes' ? name !== '' : names.includes(field)
    if (isKnown) return []
    const own = name === undefined ? undefined : groupNames[group]?.map((one) => `${group}.${one}`)
    const message = `is no field of a product${nearest(field, own ?? [...names, 'attributes.<name>'])}`
    return [{ pointer: `${pointer}/${index}`, code: 'invalid_choice', message }]
  })
}

/** Whether a field that changed is one of those that are named, by itself or with all of its group. */
export function isNamed(field: string, fields: ReadonlySet<string>): boolean {
  return fields.has(field) || fields.has(splitField(field)[0])
}
