/** Proposals */
export const proposalLimits = {
  /** Title */
  titleCharacters: 200,
  /** Open proposals per project */
  open: 1_000,
  /** Time after which an open proposal expires */
  openDays: 30,
  /** Time for which discarded, expired and failed proposals are kept */
  closedDays: 30,
  /** Lines that one request selects */
  selectedLines: 10_000,
  /** Products that an edit by filter changes */
  filteredProducts: 100_000,
  /** Edits in one proposal */
  edits: 50,
  /** Filter of an edit, as a query string */
  filterCharacters: 16_384,
  /** Text that an edit appends, prepends or replaces */
  editTextCharacters: 100_000,
  // The smallest price times this is the highest one.
  /** Number that an edit multiplies by or adds */
  editNumber: 1_000_000_000_000,
} as const
