/** Quality rules */
export const qualityLimits = {
  /** Rules per project */
  rules: 50,
  // A pattern costs more than any other rule.
  /** Rules of the kind `text_pattern` per project */
  patternRules: 5,
  /** Pattern */
  patternCharacters: 500,
  /** Text that a pattern checks; the rest of a longer text is ignored */
  patternedCharacters: 1_000,
  /** Text whose capitals a rule checks; the rest of a longer text is ignored */
  casedCharacters: 10_000,
  /** Bounds of a rule */
  bound: 100_000,
  /** Categories per rule */
  categories: 100,
  /** Message of a rule */
  messageCharacters: 500,
  /** Products that a preview scores */
  previewedProducts: 1_000,
  /** Changed products that a preview lists */
  previewedChanges: 20,
  // Of the thread that serves all requests.
  /** Time for a preview; after it the preview covers fewer products */
  previewMilliseconds: 2_000,
} as const
