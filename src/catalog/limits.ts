import { kibibyte, mebibyte } from '../platform/units.ts'

/** Product writes */
export const writeLimits = {
  /** Lines per batch of a push */
  batchLines: 1_000,
  /** Size of the lines in a batch of a push */
  batchBytes: 512 * kibibyte,
  // They are read or held in memory completely to see what changes.
  /** Size of the products that a batch of a push changes */
  batchProductBytes: mebibyte,
  /** Errors that a push reports per line */
  lineErrors: 20,
  /** Size of results after which a push reports the results of further lines briefly */
  resultBytes: 8 * mebibyte,
  /** Product text that a dry run holds in memory */
  dryRunCharacters: 16 * mebibyte,
  /** Text of a changed value that a push result shows */
  changedCharacters: 200,
  /** Attempts to write a batch whose SKUs other writers create at the same time */
  duplicateAttempts: 21,
  // Each attempt may write all lines twice.
  /** Attempts to write an atomic push while other writers change its products */
  atomicAttempts: 5,
  /** Attempts to create or replace a product that other writers change at the same time */
  putAttempts: 20,
  /** Attempts to change a product without locking it while other writers change it */
  unlockedAttempts: 3,
  /** Attempts to adjust stock in a shared statement while other authors adjust the product */
  adjustmentAttempts: 3,
  /** Attempts to change an SKU that other writers use at the same time */
  skuAttempts: 6,
  /** Attempts to create a category path that other writers change at the same time */
  categoryAttempts: 20,
  /** Products that a category merge moves in one transaction */
  mergedProducts: 500,
  /** Statement timeout for a category merge */
  mergeStatementSeconds: 30,
  /** Rounds of a category merge while other writers add products */
  mergeRounds: 20,
} as const

/** Product lists */
export const listLimits = {
  /** Searches that share one statement, per project */
  searchesTogether: 8,
  /** Concurrent search statements per project */
  searchStatements: 2,
  /** Concurrent searches per worker */
  searches: 64,
  // Searches that share a statement wait for the slowest one.
  /** Approximate number of products that the searches of one statement match */
  searchedProducts: 100_000,
  /** Time that a search waits for its statement; then 503 `too_busy` */
  searchWaitSeconds: 5,
  /** Time after which searches that share a statement are also read one by one */
  sharedSeconds: 2,
  /** Words of a search with `match=close` or sorted by relevance */
  searchWords: 16,
  /** Letters of a word in which `match=close` allows a typo */
  closeLetters: 24,
  /** Letters of an excerpt in `match` */
  matchCharacters: 120,
  /** Concurrent statements for sorted pages, per worker */
  sortedStatements: 2,
  /** Time that a sorted page waits for its statement; then 503 `too_busy` */
  sortedWaitSeconds: 10,
  // A single value is at most 60 KiB as JSON.
  /** Values of one facet, in total */
  facetBytes: 64 * kibibyte,
} as const

/** Imports and exports */
export const fileLimits = {
  /** Columns in a request for a CSV export */
  exportColumns: 200,
  // A project can have any number of attributes, but spreadsheets limit the number of columns.
  /** Attribute columns of a CSV export without requested columns */
  exportAttributeColumns: 500,
  /** Products that one statement of an export reads */
  exportProducts: 200,
  /** Size of the products that one statement of an export reads */
  exportBytes: 512 * kibibyte,
  /** Lines that an import writes as one push */
  importLines: 10_000,
  /** Size of lines that an import writes as one push */
  importBytes: 8 * mebibyte,
  /** Products whose media `catalog media fetch` writes as one push */
  fetchedProducts: 500,
  /** Files that `catalog media fetch` fetches at once */
  fetchesAtOnce: 4,
  /** Images that an import uploads at once */
  importUploads: 4,
  /** Products whose images an import reads from a zip file at once */
  imageProducts: 500,
  /** Errors that an import lists */
  importErrors: 20,
  // No system has more variants and images per product, and each has at most one row.
  /** Rows of one product in a file from another system */
  productRows: 5_000,
  /** Rows of one product in a file from another system, in total */
  productRowCharacters: 16 * mebibyte,
  /** Akeneo table other than products */
  tableBytes: 64 * mebibyte,
  /** Category paths that an Akeneo import creates in one transaction */
  categoryPaths: 500,
} as const

/** Duplicate products */
export const duplicateLimits = {
  /** Minimum trigram similarity of close names; 1 means the same words */
  closeSimilarity: 0.6,
  /** Products that changed last, which the service compares for `same_gtin` and `close_name` */
  products: 50_000,
  /** Pairs of close names */
  closePairs: 50_000,
  /** Different words in the names that are compared for `close_name`; then the list is incomplete */
  closeWords: 200_000,
  /** Time for comparing names; then the list is incomplete */
  closeMilliseconds: 4_000,
  /** Repeated names that are checked for `same_name` */
  repeatedNames: 20_000,
  /** Groups per reason */
  groups: 1_000,
  /** Products that a group lists */
  groupProducts: 10,
  /** Statement timeout */
  statementSeconds: 15,
} as const

/** AI providers */
export const providerLimits = {
  /** Providers per project */
  providers: 10,
  /** Models per provider */
  models: 50,
  /** Name of a model */
  modelNameCharacters: 200,
  /** Base URL */
  urlCharacters: 500,
  /** Key */
  keyCharacters: 2_000,
  /** Concurrent calls per provider */
  concurrency: 64,
  /** Concurrent calls per provider by default */
  concurrencyByDefault: 4,
  /** Calls per minute and provider */
  requestsPerMinute: 100_000,
  /** Price per 1,000,000 tokens, in units of the currency */
  price: 1_000_000,
  // In millionths, it is still an exact number in JavaScript.
  /** Budget per month, in units of the currency */
  budget: 1_000_000_000,
  /** Output tokens of one call */
  outputTokens: 1_000_000,
  /** Output tokens of one call in a provider test */
  testOutputTokens: 1_000,
  /** Duration of a provider test */
  testMilliseconds: 30_000,
  /** Concurrent provider tests per worker */
  tests: 4,
  /** Concurrent provider tests per project */
  testsPerProject: 1,
  /** Time that a provider test waits for others; then 503 `too_busy` */
  testWaitSeconds: 5,
  /** Provider tests that wait for others */
  waitingTests: 20,
  /** Duration of one call */
  callMilliseconds: 120_000,
  /** Size of the response to one call */
  responseBytes: mebibyte,
  /** Memory for incoming responses per process; further calls wait */
  responseMemoryBytes: 32 * mebibyte,
  /** Memory for incoming responses per process and project */
  projectResponseMemoryBytes: 8 * mebibyte,
  /** Longest wait after a 429 that a provider can request */
  retryAfterMilliseconds: 3_600_000,
} as const
