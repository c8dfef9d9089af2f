/** Views: languages, channels and price lists */
export const viewLimits = {
  /** Views per project */
  views: 50,
  /** Views in a chain, without the base */
  chain: 8,
  /** Label of a view */
  labelCharacters: 100,
  /** Fields in `requires` */
  requiredFields: 10,
  /** Views per project that require fields */
  requiringViews: 10,
} as const
