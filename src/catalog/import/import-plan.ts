import type { StructureSummary } from './akeneo/write-structure.ts'
import type { FileCounts } from './rows/tally.ts'
import type { ReaderOf, SourceOptions } from './source.ts'

export type ImportOptions = SourceOptions & {
  project: number
  dryRun?: boolean
  propose?: boolean
  title?: string
  rejected?: string
}

/** A file to read, and what its columns are. */
export type Part = { file: string; readerOf: ReaderOf }
/** The files of an import, in their order, and what was written before the products. */
export type Plan = {
  parts: Part[]
  summary: Partial<StructureSummary & { unread_files: string[] }>
  counts(): FileCounts[]
}
