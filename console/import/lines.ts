import { tooManyCells } from '../../src/model/files/csv-options.ts'
import type { OpenedFile } from './file/open-file.ts'
import type { FileRecord, RecordSlice } from './file/records.ts'
import { lineOf, type Mapping } from './mapping.ts'
import type { Line } from './parts.ts'
import type { Rejected } from './sender.ts'

/** The mapping of a file that has columns. */
export function mappingOf({ form }: OpenedFile, mapping: Mapping): Mapping | undefined {
  return form.format === 'csv' ? mapping : undefined
}

/** How the records of a file become lines. A row with more cells than the header has lost its place. */
export function linesBy(opened: OpenedFile, mapping: Mapping) {
  const columns = opened.header.length
  const used = mappingOf(opened, mapping)
  return (records: FileRecord[]): { lines: Line[]; refused: Rejected[] } => {
    const isFit = ({ cells }: FileRecord) => used === undefined || cells.length <= columns
    return {
      lines: records.filter(isFit).map((record) => ({ record, json: lineOf(used, record) })),
      refused: records
        .filter((record) => !isFit(record))
        .map((record) => ({
          record,
          faults: [{ pointer: '', code: 'too_many', message: tooManyCells(record.cells.length, columns) }],
        })),
    }
  }
}

/** Records that are in the memory already, as if a file had them. */
export async function* slicesOf(records: FileRecord[]): AsyncGenerator<RecordSlice> {
  yield { records, bytes: 0 }
}
