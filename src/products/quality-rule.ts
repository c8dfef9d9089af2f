import type { FieldName, FieldValues } from './product-fields.ts'

/** What the score is made of: only what the product itself shows, so that no write makes another score stale. */
export type Scored = Readonly<FieldValues>

export type Rule = {
  code: string
  field: FieldName
  points: number
  passes: (product: Scored) => boolean
  message: string
}
