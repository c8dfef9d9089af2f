import type { OpenedFile } from './file/open-file.ts'
import type { Fault, Rejected } from './sender.ts'

/** All that is wrong with a line, as the command writes it. */
function faultText(faults: readonly Fault[]): string {
  return faults
    .map(({ pointer, code, message }) => `${pointer ? `${pointer} ` : ''}${message} (${code})`)
    .join('; ')
    .replaceAll(/\s+/g, ' ')
}

/** The rejected lines as a file that can be fixed and imported: with the reasons in a column, or in comments of NDJSON. */
export function rejectedFile({ file, form, header }: OpenedFile, rejected: readonly Rejected[]): File {
  const name = file.name.replace(/\.[^.]*$/, '')
  if (form.format !== 'csv') {
    const lines = rejected.map(
      ({ record, faults }) => `# line ${record.number}: ${faultText(faults)}\n${record.cells[0] ?? ''}\n`,
    )
    return new File(lines, `${name}.rejected.ndjson`, { type: 'application/x-ndjson' })
  }
  const added = [...new Set(rejected.flatMap(({ record }) => Object.keys(record.added ?? {})))]
  const own = [...header.keys()].filter((index) => header[index] !== 'errors')
  const rows = rejected.map(({ record: { cells, added: fixed = {} }, faults }) => [
    ...own.map((index) => cells[index] ?? ''),
    ...added.map((target) => fixed[target] ?? ''),
    faultText(faults),
    // Cells that have no column stay behind the errors: without them the row would be taken as it is.
    ...cells.slice(header.length),
  ])
  const all = [[...own.map((index) => header[index] ?? ''), ...added, 'errors'], ...rows]
  const text = all.map(
    (cells) => `${cells.map((cell) => csvCell(cell, form.delimiter)).join(form.delimiter)}\n`,
  )
  // Spreadsheets take a CSV for UTF-8 by this mark alone.
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
