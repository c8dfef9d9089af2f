import type { FieldValues } from '../fields/field-schemas.ts'

/** The input of a score: only the product itself, so that no write makes the score of another product stale. */
export type Scored = Readonly<FieldValues>

/** A compiled rule. */
export type Rule = {
  code: string
  /** The field to fix. */
  field: string
  points: number
  passes: (product: Scored) => boolean
  /** The message for products that fail; a function if it depends on the product. */
  message: string | ((product: Scored) => string)
}
