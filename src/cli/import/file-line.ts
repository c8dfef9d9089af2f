import type { Line } from '../../http/request/split-body.ts'

/** A line of a file, with how it is written to the file of rejected lines. */
export type FileLine = { line: Line; rejected: (errors: string) => Buffer }

export function asFileLine(line: Line): FileLine {
  // The memory of a file is shared by its lines.
  return { line: { ...line, spent: [] }, rejected: (errors) => commented(line, errors) }
}

/** Writes the line on one line, byte for byte: once mended, it would be accepted. */
function commented({ number, bytes }: Line, errors: string): Buffer {
  if (bytes === undefined)
    return Buffer.from(
      `# line ${number}: ${errors} It is not repeated here: see the file that was imported.\n`,
    )
  const text = bytes.toString('latin1').replaceAll(/[\r\n]/g, ' ')
  const trimmed = text.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  return Buffer.concat([Buffer.from(`# line ${number}: ${errors}\n`), Buffer.from(`${trimmed}\n`, 'latin1')])
}
