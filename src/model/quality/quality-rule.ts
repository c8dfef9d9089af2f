import type { FieldValues } from '../fields/field-schemas.ts'

/** What the score is made of: only what the product itself shows, so that no write makes another score stale. */
export type Scored = Readonly<FieldValues>

/** A rule that is ready to be asked. */
export type Rule = {
  code: string
  /** The field that is to be mended. */
  field: string
  points: number
  passes: (product: Scored) => boolean
  /** What a product that fails is told; a function where that depends on the product. */
  message: string | ((product: Scored) => string)
}
