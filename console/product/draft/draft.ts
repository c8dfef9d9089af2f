import type { Field, Kind } from '../../../src/model/fields/field.ts'
import {
  type FieldName,
  fieldEntries,
  isRequired,
  type productFields,
} from '../../../src/model/fields/product-fields.ts'
import { fieldText } from '../../parts/numbers/read-number.ts'
import type { AttributeValue, LinkKind, ProductDetail } from '../../wire.ts'
import { type AttributeDraft, attributeDraft } from './attribute-draft.ts'

/** An existing category, or the path of a new one. */
export type CategoryDraft = { id: number; name: string } | { path: string[] }

/** Another product by SKU, with its ID if known. */
export type ReferenceDraft = { sku: string; id: number | null }
export type ComponentDraft = ReferenceDraft & { quantity: string; choice: string; isDefault: boolean }

export type StockDraft = {
  tracked: boolean
  backorders: boolean
  quantity: string
  reserved: string
  low_stock_threshold: string
}

/** Types of form values by field kind. Other values have the type of the API response. */
type DraftValues = {
  price: string
  categories: CategoryDraft[]
  attributes: Record<string, AttributeDraft>
  product: ReferenceDraft | null
  components: ComponentDraft[]
  links: Record<LinkKind, ReferenceDraft[]>
}
type KindOf<Name extends FieldName> = (typeof productFields)[Name]['kind']

/** A product in the form. Numbers are stored as typed text. */
export type Draft = {
  [Name in FieldName]: KindOf<Name> extends keyof DraftValues
    ? DraftValues[KindOf<Name>]
    : ProductDetail[Name]
} & { inventory: StockDraft }

const noLinks: DraftValues['links'] = { related: [], upsell: [], cross_sell: [] }

function draftValue(kind: Kind, value: unknown): unknown {
  switch (kind) {
    case 'price':
      return fieldText(value as number | null)
    case 'attributes': {
      const entries = Object.entries(value as Record<string, AttributeValue>)
      return Object.fromEntries(entries.map(([key, one]) => [key, attributeDraft(one)]))
    }
    case 'components':
      return (value as ProductDetail['components']).map(
        ({ quantity, choice = '', default: isDefault = false, ...other }) => ({
          ...other,
          quantity: fieldText(quantity),
          choice,
          isDefault,
        }),
      )
    case 'links':
      return { ...noLinks, ...(value as object) }
    default:
      return value
  }
}

function draftWith(read: (name: FieldName, field: Field) => unknown, inventory: StockDraft): Draft {
  const values = fieldEntries.map(([name, field]) => [name, draftValue(field.kind, read(name, field))])
  return { ...Object.fromEntries(values), inventory }
}

export const emptyDraft = draftWith((name, field) => (isRequired(name) ? '' : field.default), {
  tracked: true,
  backorders: false,
  quantity: '',
  reserved: '',
  low_stock_threshold: '',
})

export function draftOf(product: ProductDetail): Draft {
  return draftWith((name) => product[name], stockDraft(product))
}

function stockDraft({ inventory }: ProductDetail): StockDraft {
  if (inventory === undefined) return emptyDraft.inventory
  const { tracked, backorders, quantity, reserved, low_stock_threshold } = inventory
  return {
    tracked,
    backorders,
    quantity: fieldText(quantity),
    reserved: fieldText(reserved),
    low_stock_threshold: fieldText(low_stock_threshold),
  }
}

/** A copy to start a new product from, without SKU and stock. */
export function duplicateOf(product: ProductDetail): Draft {
  const { inventory, ...draft } = draftOf(product)
  return { ...draft, sku: '', status: 'pending', inventory: { ...inventory, quantity: '', reserved: '' } }
}
