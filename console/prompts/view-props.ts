import type { Prompt } from '../wire.ts'
import type { PromptSearch } from './search-params.ts'

/** What each view of a prompt is given. */
export type ViewProps = {
  project: number
  prompt: Prompt
  search: PromptSearch
  /** The version that is looked at. */
  version: string
  mayEdit: boolean
  see: (next: PromptSearch) => void
}
