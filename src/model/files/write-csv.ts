import { stringify } from 'csv-stringify/sync'

/** A lone carriage return must be quoted too, or a reader takes it for the end of the row. */
export function writeCsv(rows: string[][]): string {
  return stringify(rows, { quoted_match: /[\r\n]/ })
}
