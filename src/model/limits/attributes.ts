import { kibibyte } from '../../platform/units.ts'

/** Attribute definitions */
export const attributeLimits = {
  /** Definitions per project */
  definitions: 500,
  /** All definitions of a project, in total */
  definitionsBytes: 256 * kibibyte,
  /** Label or group */
  labelCharacters: 255,
  /** Unit */
  unitCharacters: 50,
  /** Description */
  descriptionCharacters: 2_000,
  /** Position in the list */
  position: 1_000_000,
  /** Allowed values per definition */
  choices: 1_000,
  /** Allowed value */
  choiceCharacters: 255,
  /** Categories in `required_for` */
  requiredCategories: 1_000,
  /** Pattern */
  patternCharacters: 500,
  /** Compiled size of a pattern, in instructions */
  patternInstructions: 60,
  // Patterns are for codes and numbers: each character costs a step for every step of the pattern.
  /** Value that a pattern checks */
  patternedValueCharacters: 256,
  /** Values of one product that patterns check, in total */
  patternedCharacters: 20_000,
  /** Products that a preview checks */
  previewedProducts: 20_000,
  /** Invalid products that a preview lists */
  previewedOffenders: 100,
  /** Products that suggestions are based on */
  suggestionProducts: 20_000,
  /** Attributes that suggestions list */
  suggestedAttributes: 200,
  /** Values that a suggestion lists */
  suggestedValues: 10,
  /** Distinct values up to which an attribute is suggested as a choice */
  suggestedChoices: 20,
  /** Value that a suggestion shows */
  suggestedValueCharacters: 100,
  /** Statement timeout for suggestions */
  suggestionStatementSeconds: 30,
} as const
