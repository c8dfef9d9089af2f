import { makeEdited } from './catalog/proposals/edits/make-edited.ts'
import type { LineMakers } from './catalog/proposals/prepare-proposals.ts'
import { makeReverted } from './catalog/proposals/revert/make-reverted.ts'

/** What makes the lines of proposals: in the background of a service, and in a command, which has no background. */
export const lineMakers: LineMakers = { filter: makeEdited, revert: makeReverted }
