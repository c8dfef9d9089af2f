import { stringify } from 'csv-stringify/sync'

/** A single carriage return must be quoted too, or readers treat it as the end of the row. */
export function writeCsv(rows: string[][]): string {
  return stringify(rows, { quoted_match: /[\r\n]/ })
}
