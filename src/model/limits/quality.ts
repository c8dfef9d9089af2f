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
  /** Projects whose products are scored at once, per process */
  scorings: 1,
  /** Attempts of a scoring */
  scoringAttempts: 10,
  /** Longest pause between attempts of a scoring */
  scoringPauseSeconds: 600,
  /** Products that one statement looks at for outdated scores */
  lookedProducts: 1_000,
  // Products may be large.
  /** Products that are scored in one transaction */
  scoredProducts: 100,
  /** Time that a transaction with scores takes, about */
  scoredMilliseconds: 200,
  /** Time after which a scoring lets others have their turn */
  scoringTurnMilliseconds: 1_000,
  // A request that writes a product knows the rules of the time when it arrived, and its body may take this long.
  /** Time after a change of the rules in which writes may still use the older rules */
  settleSeconds: 40,
  /** Pause of a scoring before a product that another writer holds */
  retrySeconds: 1,
  // For a slow push, or a reader who still has a row with an older score.
  /** Time after which a scoring looks for products with older scores again */
  lateSeconds: 3_600,
} as const
