import { formatCursor } from '../../../model/events/cursor.ts'
import { findFeedHead } from '../../../model/events/feed-position.sql.ts'
import type { ExportedProduct } from '../../../model/files/exported-product.ts'
import { csvHeader, csvRow, viewHeader, viewRow } from '../../../model/files/product-csv.ts'
import { columnOf } from '../../../model/files/view-columns.ts'
import { writeCsv } from '../../../model/files/write-csv.ts'
import type { Database, SnapshotReader } from '../../../platform/database/database.ts'
import { fileLimits } from '../../limits.ts'
import type { Filters } from '../product-filters.ts'
import type { CsvSelection } from './csv-selection.ts'
import { type ExportedViews, noViews } from './export-views.ts'
import { batchesOfLines, mostUsedAttributes, mostUsedInViews } from './product-export.sql.ts'

export const exportFormats = ['ndjson', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** A part of the file, and the number of products in it. */
export type ExportPart = { text: string; products: number }

/** NDJSON, a CSV with all columns, or a CSV with selected columns. */
export type ExportForm = ExportFormat | CsvSelection

type ExportOptions = {
  views?: ExportedViews
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
  { views = noViews, signal, onCursor }: ExportOptions = {},
): AsyncGenerator<ExportPart> {
  const parts = async function* (reader: SnapshotReader): AsyncGenerator<ExportPart> {
    // Committed changes without an event number are in the file and come again after the cursor, so no change is missed.
    onCursor?.(formatCursor(await findFeedHead(reader, projectId)))
    const { head, written } = await writerOf(reader, projectId, filters, form, views)
    if (head !== '') yield { text: head, products: 0 }
    const needs = typeof form === 'object' ? form : { hasRead: false, views: views.chosen }
    for await (const batch of batchesOfLines(reader, projectId, filters, needs))
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
  { chosen, known }: ExportedViews,
): Promise<Writer> {
  if (form === 'ndjson') return { head: '', written: ndjson }
  if (form !== 'csv')
    return { head: writeCsv([form.columns]), written: (batch) => writeCsv(batch.map(form.row)) }
  const most = fileLimits.exportAttributeColumns
  const names = await mostUsedAttributes(reader, projectId, filters, most)
  const used = chosen.length === 0 ? [] : await mostUsedInViews(reader, projectId, filters, chosen, most)
  const views = chosen.map((view) => ({
    view,
    names: used.filter((one) => one.view === view).map(({ name }) => name),
  }))
  const header = [
    ...csvHeader(names).map((name) => columnOf({ name }, known)),
    ...views.flatMap(({ view, names: own }) =>
      viewHeader(own).map((name) => columnOf({ name, view }, known)),
    ),
  ]
  const row = (product: ExportedProduct) => [
    ...csvRow(product, names),
    ...views.flatMap(({ view, names: own }) => viewRow(product.views?.[view], own)),
  ]
  return { head: writeCsv([header]), written: (batch) => writeCsv(batch.map(row)) }
}

function ndjson(batch: ExportedProduct[]): string {
  return batch.map((product) => `${JSON.stringify(product)}\n`).join('')
}
