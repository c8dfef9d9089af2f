import { formatCursor } from '../../../model/events/cursor.ts'
import { findFeedHead } from '../../../model/events/feed-position.sql.ts'
import type { ExportedProduct } from '../../../model/files/exported-product.ts'
import { csvHeader, csvRow } from '../../../model/files/product-csv.ts'
import { writeCsv } from '../../../model/files/write-csv.ts'
import type { Database, SnapshotReader } from '../../../platform/database/database.ts'
import { fileLimits } from '../../limits.ts'
import type { Filters } from '../product-filters.ts'
import type { CsvSelection } from './csv-selection.ts'
import { batchesOfLines, mostUsedAttributes } from './product-export.sql.ts'

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Some lines of the file, and how many products they are. */
export type ExportPart = { text: string; products: number }

/** What a file has: lines of JSON, a CSV of all columns, or one of some. */
export type ExportForm = ExportFormat | CsvSelection

type ExportOptions = {
  signal?: AbortSignal
  /** Is told before the first part from where the feed of events goes on after the file. */
  onCursor?: (cursor: string) => void
}

/** The products of a project, of one moment, in the form in which a push takes them. */
export function exportProducts(
  database: Database,
  projectId: number,
  filters: Filters,
  form: ExportForm,
  { signal, onCursor }: ExportOptions = {},
): AsyncGenerator<ExportPart> {
  const parts = async function* (reader: SnapshotReader): AsyncGenerator<ExportPart> {
    // What is committed and has no number yet is in the file, and comes again after the cursor: nothing is missed.
    onCursor?.(formatCursor(await findFeedHead(reader, projectId)))
    const { head, written } = await writerOf(reader, projectId, filters, form)
    if (head !== '') yield { text: head, products: 0 }
    const hasRead = typeof form === 'object' && form.hasRead
    for await (const batch of batchesOfLines(reader, projectId, filters, hasRead))
      yield { text: written(batch), products: batch.length }
  }
  return database.snapshot(projectId, parts, signal)
}

type Writer = { head: string; written: (batch: ExportedProduct[]) => string }

async function writerOf(
  reader: SnapshotReader,
  projectId: number,
  filters: Filters,
  form: ExportForm,
): Promise<Writer> {
  if (form === 'ndjson') return { head: '', written: ndjson }
  if (form !== 'csv')
    return { head: writeCsv([form.columns]), written: (batch) => writeCsv(batch.map(form.row)) }
  const names = await mostUsedAttributes(reader, projectId, filters, fileLimits.exportAttributeColumns)
  return {
    head: writeCsv([csvHeader(names)]),
    written: (batch) => writeCsv(batch.map((product) => csvRow(product, names))),
  }
}

function ndjson(batch: ExportedProduct[]): string {
  return batch.map((product) => `${JSON.stringify(product)}\n`).join('')
}
