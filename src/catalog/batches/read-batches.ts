import { type PushedProduct, PushedProductSchema } from '../../model/product/product-input.schema.ts'
import type { NewEntries } from '../../model/provenance/entries.ts'
import { turnOf, type WriteTurn } from '../../model/structure/write-turn.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { parseJsonBody } from '../../platform/http/body/json-body.ts'
import { handOverMemory, type Line, release } from '../../platform/http/body/split-body.ts'
import { compileBody, normalizeText } from '../../platform/http/body/validate-body.ts'
import { quotableError } from '../../platform/http/problem-response.ts'
import { type BodyError, type InputError, Problem } from '../../platform/http/problems.ts'
import { mapInTurns, takeTurns } from '../../platform/scheduling/map-in-turns.ts'
import { writeLimits } from '../limits.ts'
import { lookAhead } from './batch.sql.ts'

/** A line as it was read: a product to push, or what is wrong with the line. */
export type PushedLine = { line: number } & (
  | {
      sku: string
      product: PushedProduct
      bytes: number
      /** The provenance of a proposal line, which was resolved when the line was proposed. */
      provenance?: NewEntries | undefined
    }
  | { sku: string | null; faults: BodyError[] }
)

/** Lines that are written together, the SKUs that they name, and an id for each of those that may be new. */
export type Batch = { lines: PushedLine[]; skus: Set<string>; ids: Map<string, number> }

const validate = compileBody(PushedProductSchema)
/** The longest time for which a push delays reads. */
const shortTurn = { milliseconds: 1 }
const worthRemembering = 4_000

export type LineRange = { from: number; to: number; turn: WriteTurn }

/** Lines that are written before any line of the next turn, in batches small enough for one transaction. */
export type LineTurn = { turn: number; batches: AsyncGenerator<PushedLine[]> }

/**
 * Arranges the lines in turns, in place, unless the caller has done so, and reads them. Their memory is given back as they are read,
 * unless it is kept.
 */
export async function* readTurns(
  lines: (Line | undefined)[],
  { keep = false, ranges }: { keep?: boolean; ranges?: LineRange[] } = {},
): AsyncGenerator<LineTurn> {
  for (const range of ranges ?? (await orderLines(lines)))
    yield { turn: range.turn, batches: readRange(lines, range, keep) }
}

/** Lines of one SKU keep their order. */
export async function orderLines(lines: (Line | undefined)[]): Promise<LineRange[]> {
  const named = await mapInTurns(lines, mayNameOthers)
  if (!named.includes(true)) return [{ from: 0, to: lines.length, turn: 0 }]
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

/** A look at the bytes, because most pushes have no such line, and exported lines say null and []. */
function mayNameOthers(line: Line | undefined): boolean {
  const bytes = line?.bytes
  if (bytes === undefined || !marks.some((mark) => bytes.includes(mark))) return false
  return someReference.test(bytes.toString('latin1'))
}

/** In which turn a line is written that is the only one of its SKU. */
export function turnOfLine(line: Line): WriteTurn {
  return mayNameOthers(line) ? turnOf(looselyRead(line)) : 0
}

/** All lines of a SKU have the last turn that one of them needs. */
async function turnsOf(lines: (Line | undefined)[]): Promise<WriteTurn[]> {
  const latest = new Map<string, WriteTurn>()
  const read = await mapInTurns(lines, (line) => {
    const value = looselyRead(line)
    const [sku, turn] = [givenSku(value), turnOf(value)]
    if (sku !== null && turn >= (latest.get(sku) ?? 0)) latest.set(sku, turn)
    return { sku, turn }
  })
  return read.map(({ sku, turn }) => (sku === null ? turn : (latest.get(sku) ?? turn)))
}

/** The value of a line that may be wrong, or undefined where it cannot be read. */
export function looselyRead(line: Line | undefined): unknown {
  try {
    return JSON.parse(line?.bytes?.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

/** Lets other requests run while it reads the lines. */
async function* readRange(
  lines: (Line | undefined)[],
  { from, to }: LineRange,
  keep: boolean,
): AsyncGenerator<PushedLine[]> {
  let batch: PushedLine[] = []
  let bytes = 0
  const pass = takeTurns(shortTurn)
  for (let index = from; index < to; index += 1) {
    const line = lines[index]
    if (line === undefined) continue
    batch.push(readLine(line))
    bytes += line.bytes?.length ?? 0
    // Unless the push may have to begin anew.
    if (!keep) {
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

/** The next item is being made while the last one is used. */
export async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next()
  for (;;) {
    const { done, value } = await next
    if (done === true) return
    next = items.next()
    // Its error is met when the item is asked for.
    next.catch(() => {})
    yield value
  }
}

/**
 * Makes smaller batches where short lines change large products. Ids are set aside in the order in which the lines name new
 * SKUs, so that products are numbered in it although batches overtake each other.
 */
export async function* planBatches(
  database: Queryable,
  projectId: number,
  batches: AsyncIterable<PushedLine[]>,
  takesIds: boolean,
): AsyncGenerator<Batch> {
  const sizes = new Map<string, number>()
  for await (const lines of batches) {
    const named = skusOf(lines)
    const ahead = await lookAhead(database, projectId, [...named], takesIds)
    for (const { sku, bytes } of ahead)
      if (bytes !== null) sizes.set(sku, Math.max(bytes, sizes.get(sku) ?? 0))
    const fresh = ahead.filter(({ id }) => id !== null)
    const isNew = new Set(fresh.map(({ sku }) => sku))
    const sorted = fresh.map(({ id }) => id as number).sort((a, b) => a - b)
    const ids = new Map(
      [...named].filter((sku) => isNew.has(sku)).map((sku, index) => [sku, sorted[index] as number]),
    )
    for (const part of split(lines, sizes)) yield { lines: part, skus: skusOf(part), ids }
  }
}

export function skusOf(lines: readonly PushedLine[]): Set<string> {
  return new Set(lines.flatMap((line) => ('product' in line ? line.sku : [])))
}

/** A product that the lines make or enlarge is as large for those that follow. */
function* split(lines: PushedLine[], sizes: Map<string, number>): Generator<PushedLine[]> {
  let part: PushedLine[] = []
  let sum = 0
  for (const line of lines) {
    const size = sizes.get(line.sku ?? '') ?? 0
    if (part.length > 0 && sum + size > writeLimits.batchProductBytes) {
      yield part
      part = []
      sum = 0
    }
    part.push(line)
    sum += size
    if ('product' in line && size + line.bytes > worthRemembering) sizes.set(line.sku, size + line.bytes)
  }
  if (part.length > 0) yield part
}

/** Reads a line as if it were the body of a single write, by the same rules. */
function readLine({ number: line, bytes, fault }: Line): PushedLine {
  if (fault !== undefined) return { line, sku: null, faults: [fault] }
  if (bytes === undefined) return { line, sku: null, faults: [tooLong] }
  let value: unknown
  try {
    value = parseJsonBody(bytes, 'line')
  } catch (error) {
    if (error instanceof Problem) return { line, sku: null, faults: lineFaults(error) }
    throw error
  }
  const read = readProduct(value)
  if ('faults' in read) return { line, sku: givenSku(value), faults: read.faults }
  return { line, sku: read.product.sku, product: read.product, bytes: bytes.length }
}

/** What a line says, checked as the body of a single write is. */
export function readProduct(value: unknown): { product: PushedProduct } | { faults: BodyError[] } {
  const result = validate(value)
  return 'error' in result ? { faults: lineFaults(result.error) } : { product: result.value as PushedProduct }
}

const tooLong: BodyError = {
  pointer: '',
  code: 'body_too_large',
  message: 'The line is over the limit of 1 MiB, which holds for every product.',
}

/** What a single write would have answered, as faults of the line. */
export function lineFaults({ problemCode, message, extras: { errors } }: Problem): BodyError[] {
  return tellableFaults(errors ?? [{ pointer: '', code: problemCode, message }])
}

/** As many faults of a line as are told, in texts that are not too long. */
export function tellableFaults(faults: readonly InputError[]): BodyError[] {
  return faults.slice(0, writeLimits.lineErrors).map((fault) => {
    const { code, message } = fault
    return quotableError({ pointer: 'pointer' in fault ? fault.pointer : '', code, message })
  })
}

/** The SKU of a line that may be wrong otherwise. */
export function givenSku(value: unknown): string | null {
  const sku = (value as { sku?: unknown } | null)?.sku
  const isTellable = typeof sku === 'string' && sku.isWellFormed() && !sku.includes('\0')
  return isTellable ? normalizeText(sku).slice(0, 64).toWellFormed() : null
}
