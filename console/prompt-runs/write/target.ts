/** The products that a run writes. */
export type Target = {
  project: number
  count: number
  /** A filter of the product list, or product IDs. */
  products: { filter: string } | { products: number[] }
  /** The language or market whose fields the run writes; by default, the base. */
  market?: string | undefined
  /** The field that is selected first. */
  field?: string | undefined
}
