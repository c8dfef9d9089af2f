import { mebibyte } from '../../platform/units.ts'

/** Proposals */
export const proposalLimits = {
  /** Title */
  titleCharacters: 200,
  /** Open proposals per project */
  open: 1_000,
  // So that one client cannot fill the project's limit.
  /** Open proposals per token */
  openPerToken: 100,
  /** Time after which an open proposal expires */
  openDays: 30,
  /** Retention of discarded, expired and failed proposals */
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
  /** Step or ending that an edit rounds prices to */
  roundNumber: 1_000_000,
  /** Versions of the products that one page of lines created, in total; larger pages are rejected */
  pageChanges: 200_000,
  /** Earlier lines of the same product that the check of an edited line applies first */
  earlierLines: 100,
  /** Lines that one statement reads while a proposal is applied */
  appliedLines: 1_000,
  // Of changes, which hold values twice: as many lines as a push writes together.
  /** Size of the lines that one statement reads while a proposal is applied */
  appliedBytes: mebibyte,
  /** Concurrent preparations per process */
  preparations: 2,
  /** Concurrent preparations per process and project */
  preparationsOfProject: 1,
  /** Attempts of a preparation */
  preparationAttempts: 5,
  /** Longest pause between attempts of a preparation */
  preparationPauseSeconds: 30,
  /** Lines that are prepared in one transaction */
  preparedLines: 500,
  /** Size of products that are prepared in one transaction */
  preparedBytes: mebibyte,
  /** Approximate duration of a transaction that prepares lines */
  preparedMilliseconds: 250,
  /** Time slice of a preparation */
  preparationTurnMilliseconds: 1_000,
  /** Pause of a preparation whose proposal another process has locked */
  preparationBusyMilliseconds: 500,
  /** Proposals that expire in one transaction */
  expiredProposals: 100,
  /** Lines of proposals that are deleted in one statement */
  deletedLines: 5_000,
} as const
