import type { FieldValues } from '../fields/field-schemas.ts'
import type { ExportedMediaItem } from '../product/show-media.ts'
import type { Stock } from '../product/stock.ts'
import type { LinkKind } from '../structure/link-kinds.ts'
import type { Component } from '../structure/structure.schema.ts'
import type { ViewValues } from '../views/view-values.ts'

type Sku = { sku: string }

/** Fields that a CSV export can contain although a push rejects them. */
export const readColumns = ['id', 'quality_score', 'created_at', 'updated_at'] as const

export type ExportedView = Omit<ViewValues, 'sources' | 'media'> & { media?: ExportedMediaItem[] }

/** A product as an export writes it and a push accepts it: categories by path, assets by ID, other products by SKU. */
export type ExportedProduct = Omit<
  FieldValues,
  'categories' | 'media' | 'parent' | 'components' | 'links'
> & {
  id: number
  version: number
  inventory: Stock
  categories: { name: string; path: string[] }[]
  media: ExportedMediaItem[]
  parent: Sku | null
  components: Omit<Component, 'id'>[]
  links: { [Kind in LinkKind]?: Sku[] }
  /** The values in the requested views. */
  views?: Record<string, ExportedView>
  read?: Partial<Record<(typeof readColumns)[number], unknown>>
}
