import type { Prompt } from '../wire.ts'
import type { PromptSearch } from './search-params.ts'

export type ViewProps = {
  project: number
  prompt: Prompt
  search: PromptSearch
  /** The version that is shown. */
  version: string
  canEdit: boolean
  see: (next: PromptSearch) => void
}
