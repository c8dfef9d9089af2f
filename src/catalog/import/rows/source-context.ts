import type { TypeOf } from './cell-types.ts'
import type { Tally } from './tally.ts'

/** What reading a file of another system depends on, besides the file. */
export type SourceContext = {
  tally: Tally
  /** Whether columns that are not taken otherwise become attributes. */
  isRestKept: boolean
  /** Comes before the addresses of pictures that have no host. */
  mediaBase: string | undefined
  /** Preferred among columns that hold the same text in several languages. */
  locale: string | undefined
  /** Of the project's prices. */
  currency: string
  typeOf: TypeOf
}
