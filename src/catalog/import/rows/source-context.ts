import type { Views } from '../../../model/views/views.ts'
import type { TypeOf } from './cell-types.ts'
import type { Tally } from './tally.ts'

/** Settings for reading a file of another system. */
export type SourceContext = {
  tally: Tally
  /** Whether all other columns become attributes. */
  keepsRest: boolean
  /** Base URL for image paths without a host. */
  mediaBase: string | undefined
  /** Preferred language of localized columns. */
  locale: string | undefined
  /** Currency of the project. */
  currency: string
  views: Views | undefined
  typeOf: TypeOf
}
