import { stringify } from 'csv-stringify/sync'
import type { Database, SnapshotReader } from '../../database/database.ts'
import type { Filters } from '../product-filters.ts'
import { csvHeader, csvRow } from './product-csv.ts'
import { batchesOfLines, mostUsedAttributes, type ProductLine } from './product-export.sql.ts'

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Some lines of the file, and how many products they are. */
export type ExportPart = { text: string; products: number }

// A file may have any number of attributes; a spreadsheet has not any number of columns.
const mostAttributeColumns = 500

/** The products of a project, of one moment, in the form in which a push takes them. */
export function exportProducts(
  database: Database,
  projectId: number,
  filters: Filters,
  format: ExportFormat,
  signal?: AbortSignal,
): AsyncGenerator<ExportPart> {
  const parts = async function* (reader: SnapshotReader): AsyncGenerator<ExportPart> {
    const names =
      format === 'csv' ? await mostUsedAttributes(reader, projectId, filters, mostAttributeColumns) : []
    if (format === 'csv') yield { text: csv([csvHeader(names)]), products: 0 }
    for await (const batch of batchesOfLines(reader, projectId, filters)) {
      const text = format === 'csv' ? csv(batch.map((product) => csvRow(product, names))) : ndjson(batch)
      yield { text, products: batch.length }
    }
  }
  return database.snapshot(projectId, parts, signal)
}

function ndjson(batch: ProductLine[]): string {
  return batch.map((product) => `${JSON.stringify(product)}\n`).join('')
}

/** A lone carriage return must be quoted too, or a reader takes it for the end of the row. */
export function csv(rows: string[][]): string {
  return stringify(rows, { quoted_match: /[\r\n]/ })
}
