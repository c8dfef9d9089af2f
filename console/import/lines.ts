import { tooManyCells } from '../../src/model/files/csv-options.ts'
import type { OpenedFile } from './file/open-file.ts'
import type { FileRecord, RecordSlice } from './file/records.ts'
import { cellAt, lineOf, type Mapping } from './mapping.ts'
import type { Line } from './parts.ts'
import type { Rejected } from './sender.ts'

/** Undefined for files without columns. */
export function mappingOf({ form }: OpenedFile, mapping: Mapping): Mapping | undefined {
  return form.format === 'csv' ? mapping : undefined
}

/** Limits the memory of an import. */
const maxSeen = 500_000

/** Converts the records of a file to lines. Rejects rows with more cells than the header, and finds repeated SKUs. */
export function linesBy(opened: OpenedFile, mapping: Mapping) {
  const columns = opened.header.length
  const used = mappingOf(opened, mapping)
  const seen = new Set<string>()
  /** SKUs of earlier lines. Not known for JSON lines, and not for the end of a very long file. */
  const repeatedIn = (records: FileRecord[]) =>
    records.flatMap((record) => {
      const sku = used === undefined ? '' : cellAt('sku', used, record).trim()
      if (sku === '') return []
      if (seen.has(sku)) return [sku]
      if (seen.size < maxSeen) seen.add(sku)
      return []
    })
  return (records: FileRecord[]): { lines: Line[]; rejected: Rejected[]; repeated: string[] } => {
    const isFit = ({ cells }: FileRecord) => used === undefined || cells.length <= columns
    return {
      lines: records.filter(isFit).map((record) => ({ record, json: lineOf(used, record) })),
      rejected: records
        .filter((record) => !isFit(record))
        .map((record) => ({
          record,
          errors: [{ pointer: '', code: 'too_many', message: tooManyCells(record.cells.length, columns) }],
        })),
      repeated: repeatedIn(records),
    }
  }
}

/** Records in memory, in the form of a file. */
export async function* slicesOf(records: FileRecord[]): AsyncGenerator<RecordSlice> {
  yield { records, bytes: 0 }
}
