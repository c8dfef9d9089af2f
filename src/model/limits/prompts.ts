import { mebibyte } from '../../platform/units.ts'

/** Prompt templates */
export const promptLimits = {
  /** Description of a prompt */
  descriptionCharacters: 10_000,
  /** Text of a version */
  textCharacters: 100_000,
  // 100,000 characters take up to 1.2 MB when each of them is escaped.
  /** Request body with the text of a version */
  bodyBytes: 2 * mebibyte,
  /** Message of a version */
  messageCharacters: 1_000,
  /** Versions per prompt */
  versions: 10_000,
  /** Content of all versions of one prompt, in total */
  versionsCharacters: 10_000_000,
  // The numbers that are counted up from a given part must still fit the pattern of a version number.
  /** Each part of a version number that a client sets */
  versionPart: 999_999,
  /** Prompts in one request for version summaries */
  summarizedPrompts: 500,
  /** Variables in one rendering */
  variables: 1_000,
  /** Rendered prompt */
  renderedCharacters: 1_000_000,
  /** Size of the versions that one statement reads */
  readBytes: mebibyte,
  // The search grows with the square of the edits.
  /** Edits in a diff; versions with more are shown as replaced */
  diffEdits: 1_000,
  /** Unchanged lines around an edit in a diff */
  diffContext: 3,
  /** Writes that one statement reads for prompt outcomes */
  outcomeWrites: 5_000,
  /** Models in the outcomes of a prompt, those with the highest version first */
  outcomeModels: 1_000,
} as const
