import type { Line } from '../../../platform/http/body/split-body.ts'
import { turnOfLine } from '../../batches/read-batches.ts'
import type { Step } from './row-lines.ts'

/** A line of a file, with how it is written to the file of rejected lines. */
export type FileLine = {
  line: Line
  step: Step
  rejected: (errors: string) => Buffer
  /** A new product without a name gets that of the product with this SKU. */
  nameOf?: string
}

export function asFileLine(line: Line): FileLine {
  return {
    // The memory of a file is shared by its lines.
    line: { ...line, spent: [] },
    step: stepOf(line),
    rejected: (errors) => commented(line, errors),
  }
}

const turns = ['products', 'variants', 'bundles'] as const

export function stepOf(line: Line): Step {
  return turns[turnOfLine(line)]
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
