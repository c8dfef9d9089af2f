import { fieldsOfKind } from '../fields/product-fields.ts'

/** Variables that products provide in addition to their fields. */
const ownNames = ['id', 'currency']
/** Fields whose value is one variable. */
export const plainVariables = fieldsOfKind('code', 'text', 'price', 'choice')
const listVariables = fieldsOfKind('categories')
const keyedVariables = fieldsOfKind('attributes')
const names = new Set<string>([...ownNames, ...plainVariables, ...listVariables, ...keyedVariables])

/** Whether a product can provide the variable. Any other variable must be in the render request. */
export function isProductVariable(name: string): boolean {
  return names.has(name) || keyedVariables.some((field) => name.startsWith(`${field}.`))
}
