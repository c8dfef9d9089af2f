/** Categories */
export const categoryLimits = {
  /** Levels of the category tree */
  levels: 10,
  /** Categories in one response of the category tree */
  tree: 10_000,
  /** Position among siblings */
  position: 1_000_000,
} as const
