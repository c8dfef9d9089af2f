import { fieldLabel, splitField } from '../../src/model/fields/field-paths.ts'
import { fieldNames, fieldOf } from '../../src/model/fields/product-fields.ts'
import { draftOf } from '../product/draft/draft.ts'
import { wireFields } from '../product/draft/draft-fields.ts'
import { shownFields } from '../product/draft/draft-shown.ts'
import type { ProductDetail } from '../wire.ts'

/** A product with its values by field, in the format of the API and for display. */
export type Compared = {
  product: ProductDetail
  wire: ReadonlyMap<string, unknown>
  shown: ReadonlyMap<string, unknown>
}

export type FieldRow = {
  field: string
  label: string
  isDifferent: boolean
  /** Whether a value of one product can be set in another. */
  isCopied: boolean
}

export function comparedOf(product: ProductDetail): Compared {
  const draft = draftOf(product)
  return { product, wire: wireFields(draft), shown: shownFields(draft) }
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null)
}

/** One row per field that has a value in any of the products, in the order of the field table; stock comes last. */
export function fieldRows(products: readonly Compared[]): FieldRow[] {
  const groups = [...fieldNames, 'inventory']
  const fields = [...new Set(products.flatMap(({ wire }) => [...wire.keys()]))]
  const byGroup = Map.groupBy(fields, (field) => splitField(field)[0])
  return groups
    .flatMap((group) => byGroup.get(group) ?? [])
    .filter((field) => products.some(({ wire }) => !isEmpty(wire.get(field))))
    .map((field) => {
      const [first, ...others] = products.map(({ wire }) => wire.get(field))
      const edits = fieldOf(splitField(field)[0])?.edits ?? []
      return {
        field,
        label: fieldLabel(field),
        isDifferent: others.some((value) => !isSame(first, value)),
        isCopied: (edits as readonly string[]).includes('set'),
      }
    })
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
