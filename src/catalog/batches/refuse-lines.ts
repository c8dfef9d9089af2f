import type { Content } from '../../model/product/product-content.ts'
import type { BodyFault } from '../../platform/http/problems.ts'
import type { AppliedLine, Pushed } from './apply-lines.ts'

/** A product that lines of the batch have touched, with what it was before and the lines. */
export type Touched = { product: Pushed; before: Content | undefined; lines: AppliedLine[] }

/**
 * Of parents that lines of a push name: how many variants each had before the push, and how many more each batch brings. Batches
 * are written side by side, and do not see each other's in the database.
 */
export type VariantCounts = Map<number, { before: number; coming: Map<object, number> }>

export type Looking = {
  projectId: number
  /** Stands for the batch in `variantCounts`. */
  batch: object
  variantCounts: VariantCounts
  /** Nobody changes what is looked at until the transaction ends. */
  hold: boolean
  /** The products as they were loaded. */
  before: ReadonlyMap<string, Content>
  /** Whether lines of the batch were refused many times already. */
  isLast: boolean
  /** Variants that the batches before would have made, in a dry run: their values, and their SKU. */
  combinations: Map<string, string>
}

export type Refusals = Map<number, BodyFault[]>
export type Refusing = { refusals: Refusals; isLast: boolean }

/** The first line that is to blame: those that follow may be right without it. In the end all of them, or it would take too long. */
export function refuse(
  { lines }: Touched,
  fields: readonly string[],
  faults: BodyFault[],
  { refusals, isLast }: Refusing,
): void {
  const guilty = lines.filter(
    ({ outcome, changes }) =>
      outcome === 'created' || fields.some((field) => field in (changes?.after ?? {})),
  )
  for (const { line } of isLast ? guilty : guilty.slice(0, 1)) refusals.set(line, faults)
}
