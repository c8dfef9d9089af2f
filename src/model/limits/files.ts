import { gibibyte, mebibyte } from '../../platform/units.ts'

/** CSV files */
export const csvLimits = {
  // A product is at most 1 MiB as JSON; quotes are doubled in a CSV.
  /** Row */
  rowBytes: 2 * mebibyte,
  /** Start of a file that is searched for its encoding */
  headBytes: mebibyte,
} as const

/** Zip files with images */
export const zipLimits = {
  /** Entries */
  entries: 20_000,
  /** Unpacked size, in total */
  unpackedBytes: 20 * gibibyte,
} as const
