import type { Operation } from './field.ts'

/** Stock fields, in the order of files. Settings are part of each product version; levels are not. */
export type StockField = {
  label: string
  kind: 'count' | 'switch'
  isLevel: boolean
  edits: readonly Operation[]
}

export const stockFields = {
  tracked: { label: 'Track stock', kind: 'switch', isLevel: false, edits: ['set'] },
  quantity: { label: 'Quantity', kind: 'count', isLevel: true, edits: ['set'] },
  reserved: { label: 'Reserved', kind: 'count', isLevel: true, edits: ['set'] },
  low_stock_threshold: {
    label: 'Low-stock threshold',
    kind: 'count',
    isLevel: false,
    edits: ['set', 'clear'],
  },
  backorders: { label: 'Backorders', kind: 'switch', isLevel: false, edits: ['set'] },
} as const satisfies Record<string, StockField>

export function stockFieldsOfKind(kind: StockField['kind']): string[] {
  return Object.entries(stockFields).flatMap(([name, field]) =>
    field.kind === kind ? [`inventory.${name}`] : [],
  )
}
