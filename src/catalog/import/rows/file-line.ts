import type { Line } from '../../../platform/http/body/split-body.ts'
import { turnOfLine } from '../../batches/read-lines.ts'
import type { Step } from './row-lines.ts'

/** A line of a file, and how to write it to the file of rejected lines. */
export type FileLine = {
  line: Line
  step: Step
  rejected: (errors: string) => Buffer
  /** SKU of the product whose name a new product without a name gets. */
  nameOf?: string
}

export function asFileLine(line: Line): FileLine {
  return {
    // The lines share the memory of the file.
    line: { ...line, spent: [] },
    step: stepOf(line),
    rejected: (errors) => commented(line, errors),
  }
}

const turns = ['products', 'variants', 'bundles'] as const

export function stepOf(line: Line): Step {
  return turns[turnOfLine(line)]
}

/** Writes the line without line breaks, otherwise byte for byte, so that it can be corrected and imported. */
function commented({ number, bytes }: Line, errors: string): Buffer {
  if (bytes === undefined)
    return Buffer.from(`# line ${number}: ${errors} The line is not included here: see the imported file.\n`)
  const text = bytes.toString('latin1').replaceAll(/[\r\n]/g, ' ')
  const trimmed = text.replaceAll(/^[ \t]+|[ \t]+$/g, '')
  return Buffer.concat([Buffer.from(`# line ${number}: ${errors}\n`), Buffer.from(`${trimmed}\n`, 'latin1')])
}
