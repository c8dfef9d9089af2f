/** Saved views */
export const savedViewLimits = {
  // The page asks for the count of every one of them.
  /** Saved views per user and project */
  views: 50,
  /** Name of a saved view */
  nameCharacters: 100,
  /** Query of a saved view */
  queryCharacters: 4_096,
} as const
