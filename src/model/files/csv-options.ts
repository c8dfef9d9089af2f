import { csvLimits } from '../limits/files.ts'

/** How csv-parse reads a file that somebody imports. */
export const csvOptions = {
  bom: true,
  info: true,
  skip_empty_lines: true,
  // Spreadsheets write rows of delimiters alone.
  skip_records_with_empty_values: true,
  relax_column_count: true,
  relax_quotes: true,
  max_record_size: csvLimits.rowBytes,
}

/** Where a quote is not closed the parser tells the line on which it gave up, which may be far below. */
export function csvFault({ code, message }: { code: string; message: string }, lastLine: number): string {
  const isOpen = code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE'
  return isOpen
    ? `the row after line ${lastLine} does not end; a quote may be open there. Close it, or double it if it is part of the text`
    : message
}

export function tooManyCells(cells: number, columns: number): string {
  return `has ${cells} cells, but the header has only ${columns}; put quotes around cells that contain a delimiter`
}
