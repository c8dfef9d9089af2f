import { fieldText } from '../../parts/numbers/read-number.ts'
import type { LinkKind, MediaItem, ProductDetail, ProductStatus, ProductType } from '../../wire.ts'
import { type AttributeDraft, attributeDraft } from './attribute-draft.ts'

/** A category that there is, or the path of one that is to be made. */
export type CategoryDraft = { id: number; name: string } | { path: string[] }

/** Another product, by its SKU; the id is that of the product that has it, where that is known. */
export type ReferenceDraft = { sku: string; id: number | null }
export type ComponentDraft = ReferenceDraft & { quantity: string; choice: string; isDefault: boolean }

export type StockDraft = {
  tracked: boolean
  backorders: boolean
  quantity: string
  reserved: string
  low_stock_threshold: string
}

/** A product while it is edited. Numbers are the texts that somebody types. */
export type Draft = {
  sku: string
  name: string
  status: ProductStatus
  product_type: ProductType
  price: string
  short_description: string
  description: string
  categories: CategoryDraft[]
  attributes: Record<string, AttributeDraft>
  media: MediaItem[]
  parent: ReferenceDraft | null
  variant_axes: string[]
  components: ComponentDraft[]
  links: Record<LinkKind, ReferenceDraft[]>
  inventory: StockDraft
}

export const emptyDraft: Draft = {
  sku: '',
  name: '',
  status: 'pending',
  product_type: 'simple',
  price: '',
  short_description: '',
  description: '',
  categories: [],
  attributes: {},
  media: [],
  parent: null,
  variant_axes: [],
  components: [],
  links: { related: [], upsell: [], cross_sell: [] },
  inventory: { tracked: true, backorders: false, quantity: '', reserved: '', low_stock_threshold: '' },
}

export function draftOf(product: ProductDetail): Draft {
  const { sku, name, status, product_type, short_description, description } = product
  const { categories, media, parent, variant_axes, links } = product
  return {
    ...{ sku, name, status, product_type, short_description, description, categories, media, variant_axes },
    price: fieldText(product.price),
    attributes: Object.fromEntries(
      Object.entries(product.attributes).map(([key, value]) => [key, attributeDraft(value)]),
    ),
    parent,
    components: product.components.map(({ quantity, choice = '', default: isDefault = false, ...other }) => ({
      ...other,
      quantity: fieldText(quantity),
      choice,
      isDefault,
    })),
    links: { ...emptyDraft.links, ...links },
    inventory: stockDraft(product),
  }
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

/** A copy to begin a new product with: it needs a SKU of its own, and has no stock yet. */
export function duplicateOf(product: ProductDetail): Draft {
  const { inventory, ...draft } = draftOf(product)
  return { ...draft, sku: '', status: 'pending', inventory: { ...inventory, quantity: '', reserved: '' } }
}
