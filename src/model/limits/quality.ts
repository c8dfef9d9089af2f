/** Quality rules */
export const qualityLimits = {
  /** Rules per project */
  rules: 50,
  // A pattern costs more than any other rule.
  /** Rules of the kind `text_pattern` per project */
  patternRules: 5,
  /** Pattern */
  patternCharacters: 500,
  /** Start of a value that a pattern checks; the rest is ignored */
  patternedCharacters: 1_000,
  /** Start of a value that a rule checks for capitals; the rest is ignored */
  casedCharacters: 10_000,
  /** Largest minimum or maximum of a rule */
  bound: 100_000,
  /** Categories per rule */
  categories: 100,
  /** Message of a rule */
  messageCharacters: 500,
  /** Attribute errors that the message of the rule `attribute_definitions` lists */
  listedErrors: 5,
  /** Message of the rule `attribute_definitions` with its attribute errors */
  listedCharacters: 1_000,
  /** Products that a preview scores */
  previewedProducts: 1_000,
  /** Products up to which a preview reads all IDs; of more products it reads a sample */
  previewIds: 100_000,
  /** Changed products that a preview lists */
  previewedChanges: 20,
  // It takes the time of the thread that serves all requests.
  /** Time for a preview; a slower preview covers fewer products */
  previewMilliseconds: 2_000,
  /** Projects that are scored concurrently, per process */
  scorings: 1,
  /** Attempts of a scoring job */
  scoringAttempts: 10,
  /** Longest pause between attempts of a scoring job */
  scoringPauseSeconds: 600,
  /** Products that one statement checks for outdated scores */
  checkedProducts: 1_000,
  // Products can be large.
  /** Products that are scored in one transaction */
  scoredProducts: 100,
  /** Approximate duration of a transaction that writes scores */
  scoredMilliseconds: 200,
  /** Time slice of a scoring job */
  scoringTurnMilliseconds: 1_000,
  // A write uses the rules that were in force when its request arrived, and its body can take this long.
  /** Time after a rule change in which writes can still use the older rules */
  settleSeconds: 40,
  /** Pause of a scoring job at a product that another writer has locked */
  retrySeconds: 1,
  // For a slow push, or a reader that still has a row with an older score.
  /** Time after which a scoring job checks for older scores again */
  lateSeconds: 3_600,
} as const
