import { mebibyte } from '../../platform/units.ts'

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
  /** Changes of products that the lines of one page created; more are refused */
  pageChanges: 200_000,
  /** Lines that an application reads at once */
  appliedLines: 1_000,
  // Of changes, which hold values twice: as many lines as a push writes together.
  /** Size of lines that an application reads at once */
  appliedBytes: mebibyte,
  /** Preparations at once, per process */
  preparations: 2,
  /** Preparations at once, per process and project */
  preparationsOfProject: 1,
  /** Attempts of a preparation */
  preparationAttempts: 5,
  /** Longest pause between attempts of a preparation */
  preparationPauseSeconds: 30,
  /** Lines that are prepared in one transaction */
  preparedLines: 500,
  /** Size of products that are prepared in one transaction */
  preparedBytes: mebibyte,
  /** Time that a transaction with prepared lines takes, about */
  preparedMilliseconds: 250,
  /** Time after which a preparation lets others have their turn */
  preparationTurnMilliseconds: 1_000,
  /** Pause of a preparation whose proposal another process holds */
  preparationBusyMilliseconds: 500,
  /** Proposals that expire in one transaction */
  expiredProposals: 100,
  /** Lines of proposals that are deleted in one statement */
  deletedLines: 5_000,
} as const
