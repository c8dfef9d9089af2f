/** Saved views */
export const savedViewLimits = {
  // The page requests the count of each view.
  /** Saved views per user and project */
  views: 50,
  /** Shared views per project */
  sharedViews: 100,
  /** Name of a saved view */
  nameCharacters: 100,
  /** Query of a saved view */
  queryCharacters: 4_096,
} as const
