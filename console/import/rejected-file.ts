import type { OpenedFile } from './file/open-file.ts'
import type { LineError, Rejected } from './sender.ts'

/** The errors of a line, in the format of `catalog import`. */
function errorText(errors: readonly LineError[]): string {
  return errors
    .map(({ pointer, code, message }) => `${pointer ? `${pointer} ` : ''}${message} (${code})`)
    .join('; ')
    .replaceAll(/\s+/g, ' ')
}

/** The rejected lines as a file to fix and import, with the reasons in a column or in NDJSON comments. */
export function rejectedFile({ file, form, header }: OpenedFile, rejected: readonly Rejected[]): File {
  const name = file.name.replace(/\.[^.]*$/, '')
  if (form.format !== 'csv') {
    const lines = rejected.map(
      ({ record, errors }) => `# line ${record.number}: ${errorText(errors)}\n${record.cells[0] ?? ''}\n`,
    )
    return new File(lines, `${name}.rejected.ndjson`, { type: 'application/x-ndjson' })
  }
  const added = [...new Set(rejected.flatMap(({ record }) => Object.keys(record.added ?? {})))]
  const own = [...header.keys()].filter((index) => header[index] !== 'errors')
  const rows = rejected.map(({ record: { cells, added: fixed = {} }, errors }) => [
    ...own.map((index) => cells[index] ?? ''),
    ...added.map((target) => fixed[target] ?? ''),
    errorText(errors),
    // Keep cells without a column after the errors. Without them, a later import would accept the row.
    ...cells.slice(header.length),
  ])
  const all = [[...own.map((index) => header[index] ?? ''), ...added, 'errors'], ...rows]
  const text = all.map(
    (cells) => `${cells.map((cell) => csvCell(cell, form.delimiter)).join(form.delimiter)}\n`,
  )
  // Spreadsheets detect UTF-8 only by the byte order mark.
  return new File(['\ufeff', ...text], `${name}.rejected.csv`, { type: 'text/csv' })
}

function csvCell(cell: string, delimiter: string): string {
  const isPlain = !/["\r\n]/.test(cell) && !cell.includes(delimiter)
  return isPlain ? cell : `"${cell.replaceAll('"', '""')}"`
}

export function saveFile(file: File): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = file.name
  link.click()
  URL.revokeObjectURL(address)
}
