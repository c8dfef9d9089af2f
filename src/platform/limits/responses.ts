import { kibibyte, mebibyte } from '../units.ts'

/** Responses */
export const responseLimits = {
  /** Items per page */
  pageItems: 500,
  /** Items per page by default */
  pageItemsByDefault: 20,
  /** Page */
  pageBytes: 8 * mebibyte,
  /** Size up to which a response does not count toward the memory limits */
  smallBytes: 64 * kibibyte,
  /** Size from which responses are compressed */
  compressedBytes: kibibyte,
  // An error must not be many times the size of its request, which it may quote.
  /** Errors in one response */
  errors: 100,
  /** Detail of an error response */
  detailCharacters: 1_000,
  /** Message of one error */
  errorCharacters: 300,
} as const
