import { csvLimits } from '../limits/files.ts'

/** Options of csv-parse for imported files. */
export const csvOptions = {
  bom: true,
  info: true,
  skip_empty_lines: true,
  // Spreadsheets write rows that contain only delimiters.
  skip_records_with_empty_values: true,
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: csvLimits.rowBytes,
}

/** For an unclosed quote, the parser reports the line where it gave up, which can be far below the quote. */
export function describeCsvError(
  { code, message }: { code: string; message: string },
  lastLine: number,
): string {
  const isOpen = code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
  return isOpen
    ? `the row after line ${lastLine} does not end; a quote may be open there. Close it, or double it if it is part of the text`
    : message
}

export function tooManyCells(cells: number, columns: number): string {
  return `has ${cells} cells, but the header has only ${columns}; put quotes around cells that contain a delimiter`
}
