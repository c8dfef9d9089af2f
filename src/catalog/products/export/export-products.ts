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

/** A part of the file, and the number of products in it. */
export type ExportPart = { text: string; products: number }

/** NDJSON, a CSV with all columns, or a CSV with selected columns. */
export type ExportForm = ExportFormat | CsvSelection

type ExportOptions = {
  signal?: AbortSignal
  /** Called before the first part with the cursor from which the event feed continues after the file. */
  onCursor?: (cursor: string) => void
}

/** The products of a project from one snapshot, in the format that a push accepts. */
export function exportProducts(
  database: Database,
  projectId: number,
  filters: Filters,
  form: ExportForm,
  { signal, onCursor }: ExportOptions = {},
): AsyncGenerator<ExportPart> {
  const parts = async function* (reader: SnapshotReader): AsyncGenerator<ExportPart> {
    // Committed changes without an event number are in the file and come again after the cursor, so no change is missed.
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
