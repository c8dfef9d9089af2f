import { kibibyte, mebibyte } from '../platform/units.ts'

/** Product writes */
export const writeLimits = {
  /** Lines that a push writes at once */
  batchLines: 1_000,
  /** Size of lines that a push writes at once */
  batchBytes: 512 * kibibyte,
  // They are read or kept whole to see what changes.
  /** Size of products that a push changes at once */
  batchProductBytes: mebibyte,
  /** Errors that a push reports per line */
  lineErrors: 20,
  /** Size of results after which a push reports the results of further lines briefly */
  resultBytes: 8 * mebibyte,
  /** Text of products that a dry run remembers */
  dryRunCharacters: 16 * mebibyte,
  /** Attempts to write a batch whose SKUs other writers create at the same time */
  duplicateAttempts: 21,
  // Each attempt may write all lines twice.
  /** Attempts to write an atomic push that other writers overtake */
  atomicAttempts: 5,
  /** Attempts to create or replace a product that other writers change at the same time */
  putAttempts: 20,
  /** Attempts to change an SKU that other writers use at the same time */
  skuAttempts: 6,
  /** Attempts to create a category path that other writers change at the same time */
  categoryAttempts: 20,
  /** Products that a category merge moves in one transaction */
  mergedProducts: 500,
  /** Statement of a category merge */
  mergeStatementSeconds: 30,
  /** Rounds of a category merge while other writers add products */
  mergeRounds: 20,
} as const

/** Product lists */
export const listLimits = {
  /** Searches that share one statement, per project */
  searchesTogether: 8,
  /** Statements with searches at once, per project */
  searchStatements: 2,
  /** Searches at once, per worker */
  searches: 64,
  // Those that share a statement wait for all of them.
  /** Products that the searches of one statement match, about */
  searchedProducts: 100_000,
  /** Time that a search waits for its statement; then 503 `too_busy` */
  searchWaitSeconds: 5,
  /** Statements with sorted pages at once, per worker */
  sortedStatements: 2,
  /** Time that a sorted page waits for its statement; then 503 `too_busy` */
  sortedWaitSeconds: 10,
  // A single value is at most 60 KiB as JSON.
  /** Values of one facet together */
  facetBytes: 64 * kibibyte,
} as const

/** Imports and exports */
export const fileLimits = {
  /** Columns that one CSV export names */
  exportColumns: 200,
  // A file may have any number of attributes; a spreadsheet has not any number of columns.
  /** Attribute columns of a CSV export that names no columns */
  exportAttributeColumns: 500,
  /** Products that an export reads at once */
  exportProducts: 200,
  /** Size of products that an export reads at once */
  exportBytes: 512 * kibibyte,
  /** Lines that an import writes as one push */
  importLines: 10_000,
  /** Size of lines that an import writes as one push */
  importBytes: 8 * mebibyte,
  /** Errors that an import lists */
  importErrors: 20,
  // No system has more variants and pictures of one product, each with a row at most.
  /** Rows of one product in a file of another system */
  productRows: 5_000,
  /** Rows of one product in a file of another system, together */
  productRowCharacters: 16 * mebibyte,
  /** Akeneo table other than products */
  tableBytes: 64 * mebibyte,
  /** Category paths that an Akeneo import creates in one transaction */
  categoryPaths: 500,
} as const
