import { type PushedProduct, PushedProductSchema } from '../../model/product/product-input.schema.ts'
import { turnOf, type WriteTurn } from '../../model/structure/write-turn.ts'
import { parseJsonBody } from '../../platform/http/body/json-body.ts'
import { handOverMemory, type Line, release } from '../../platform/http/body/split-body.ts'
import { compileBody, normalizeText } from '../../platform/http/body/validate-body.ts'
import { type BodyError, Problem } from '../../platform/http/problems.ts'
import { mapInTurns, takeTurns } from '../../platform/scheduling/map-in-turns.ts'
import { writeLimits } from '../limits.ts'
import type { PushedLine } from './apply-line.ts'
import { lineErrors } from './line-errors.ts'

const validate = compileBody(PushedProductSchema)
/** The maximum time for which a push delays reads. */
const shortTurn = { milliseconds: 1 }

export type LineRange = { from: number; to: number; turn: WriteTurn }

/** Lines that are written before any line of the next turn, in batches that each fit in one transaction. */
export type LineTurn = { turn: number; batches: AsyncGenerator<PushedLine[]> }

/**
 * Arranges lines in turns, in place, unless the caller has done so, and reads them. Releases the memory of each line that it has
 * read, unless the caller retains the lines to read them again.
 */
export async function* readTurns(
  lines: (Line | undefined)[],
  { retain = false, ranges }: { retain?: boolean; ranges?: LineRange[] } = {},
): AsyncGenerator<LineTurn> {
  for (const range of ranges ?? (await orderLines(lines)))
    yield { turn: range.turn, batches: readRange(lines, range, retain) }
}

/** Lines with the same SKU keep their order. */
export async function orderLines(lines: (Line | undefined)[]): Promise<LineRange[]> {
  const references = await mapInTurns(lines, mayReferenceOthers)
  if (!references.includes(true)) return [{ from: 0, to: lines.length, turn: 0 }]
  const turns = await turnsOf(lines)
  handOverMemory(lines, turns)
  const parts = ([0, 1, 2] as const).map((turn) => lines.filter((_, index) => turns[index] === turn))
  for (const [index, line] of parts.flat().entries()) lines[index] = line
  let to = 0
  const ranges = ([0, 1, 2] as const).map((turn) => {
    const { length } = parts[turn] as (Line | undefined)[]
    to += length
    return { from: to - length, to, turn }
  })
  return ranges.filter(({ from, to }) => from < to)
}

const marks = [Buffer.from('"parent"'), Buffer.from('"components"')]
const someReference = /"(parent"\s*:\s*\{|components"\s*:\s*\[\s*\{)/

/** Checks the bytes without parsing them: most pushes have no such line, and exported lines have null and []. */
function mayReferenceOthers(line: Line | undefined): boolean {
  const bytes = line?.bytes
  if (bytes === undefined || !marks.some((mark) => bytes.includes(mark))) return false
  return someReference.test(bytes.toString('latin1'))
}

/** The turn of a line that is the only one with its SKU. */
export function turnOfLine(line: Line): WriteTurn {
  return mayReferenceOthers(line) ? turnOf(parseLine(line)) : 0
}

/** All lines with the same SKU go into the latest turn that one of them needs. */
async function turnsOf(lines: (Line | undefined)[]): Promise<WriteTurn[]> {
  const latest = new Map<string, WriteTurn>()
  const read = await mapInTurns(lines, (line) => {
    const value = parseLine(line)
    const [sku, turn] = [readSku(value), turnOf(value)]
    if (sku !== null && turn >= (latest.get(sku) ?? 0)) latest.set(sku, turn)
    return { sku, turn }
  })
  return read.map(({ sku, turn }) => (sku === null ? turn : (latest.get(sku) ?? turn)))
}

/** The unchecked value of a line, or undefined if it is not valid JSON. */
export function parseLine(line: Line | undefined): unknown {
  try {
    return JSON.parse(line?.bytes?.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

/** Lets other requests run between lines. */
async function* readRange(
  lines: (Line | undefined)[],
  { from, to }: LineRange,
  retain: boolean,
): AsyncGenerator<PushedLine[]> {
  let batch: PushedLine[] = []
  let bytes = 0
  const pass = takeTurns(shortTurn)
  for (let index = from; index < to; index += 1) {
    const line = lines[index]
    if (line === undefined) continue
    batch.push(readLine(line))
    bytes += line.bytes?.length ?? 0
    if (!retain) {
      release(line)
      lines[index] = undefined
    }
    if (batch.length === writeLimits.batchLines || bytes >= writeLimits.batchBytes) {
      yield batch
      batch = []
      bytes = 0
    }
    const others = pass()
    if (others !== undefined) await others
  }
  if (batch.length > 0) yield batch
}

/** Checks a line by the rules for the body of a single write. */
function readLine({ number: line, bytes, error }: Line): PushedLine {
  if (error !== undefined) return { line, sku: null, errors: [error] }
  if (bytes === undefined) return { line, sku: null, errors: [tooLong] }
  let value: unknown
  try {
    value = parseJsonBody(bytes, 'line')
  } catch (error) {
    if (error instanceof Problem) return { line, sku: null, errors: lineErrors(error) }
    throw error
  }
  const read = readProduct(value)
  if ('errors' in read) return { line, sku: readSku(value), errors: read.errors }
  return { line, sku: read.product.sku, product: read.product, bytes: bytes.length }
}

/** The product of a line, checked like the body of a single write. */
export function readProduct(value: unknown): { product: PushedProduct } | { errors: BodyError[] } {
  const result = validate(value)
  return 'error' in result ? { errors: lineErrors(result.error) } : { product: result.value as PushedProduct }
}

const tooLong: BodyError = {
  pointer: '',
  code: 'body_too_large',
  message: 'The line exceeds the limit of 1 MiB per product.',
}

/** The SKU of a line that may have errors. */
export function readSku(value: unknown): string | null {
  const sku = (value as { sku?: unknown } | null)?.sku
  const isReadable = typeof sku === 'string' && sku.isWellFormed() && !sku.includes('\0')
  return isReadable ? normalizeText(sku).slice(0, 64).toWellFormed() : null
}
