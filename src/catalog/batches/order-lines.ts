import type { Line } from '../../platform/http/request/split-body.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { givenSku, type LineRange } from './read-batches.ts'

/*
 * A product is written after those that it names, wherever its line stands: first the lines that name none, then variants,
 * which name their parent, then bundles and groups, which may consist of variants.
 */

type Turn = 0 | 1 | 2

/** Rearranges the lines in place; lines of one SKU keep their order. Each range is to be written before the next one begins. */
export async function orderLines(lines: (Line | undefined)[]): Promise<LineRange[]> {
  const named = await mapInTurns(lines, mayNameOthers)
  if (!named.includes(true)) return [{ from: 0, to: lines.length, turn: 0 }]
  const turns = await turnsOf(lines)
  handOverMemory(lines, turns)
  const parts = ([0, 1, 2] as const).map((turn) => lines.filter((_, index) => turns[index] === turn))
  for (const [index, line] of parts.flat().entries()) lines[index] = line
  let to = 0
  const ranges = parts.map(({ length }, turn) => {
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
export function turnOfLine(line: Line): Turn {
  return mayNameOthers(line) ? turnOf(looselyRead(line)) : 0
}

/** All lines of a SKU have the last turn that one of them needs. */
async function turnsOf(lines: (Line | undefined)[]): Promise<Turn[]> {
  const latest = new Map<string, Turn>()
  const read = await mapInTurns(lines, (line) => {
    const value = looselyRead(line)
    const [sku, turn] = [givenSku(value), turnOf(value)]
    if (sku !== null && turn >= (latest.get(sku) ?? 0)) latest.set(sku, turn)
    return { sku, turn }
  })
  return read.map(({ sku, turn }) => (sku === null ? turn : (latest.get(sku) ?? turn)))
}

/** Of the value of a line. */
export function turnOf(value: unknown): Turn {
  const { parent, components } = (value ?? {}) as { parent?: unknown; components?: unknown }
  if (Array.isArray(components) && components.length > 0) return 2
  return (parent ?? null) === null ? 0 : 1
}

/** The value of a line that may be wrong, or undefined where it cannot be read. */
export function looselyRead(line: Line | undefined): unknown {
  try {
    return JSON.parse(line?.bytes?.toString('utf8') ?? '')
  } catch {
    return undefined
  }
}

/** Memory is released by the line after which nobody needs it, which is another one now. */
function handOverMemory(lines: (Line | undefined)[], turns: Turn[]): void {
  let last: Line | undefined
  let lastTurn: Turn = 0
  for (const [index, line] of lines.entries()) {
    const turn = turns[index] as Turn
    if (line === undefined) continue
    if (last === undefined || turn >= lastTurn) {
      last = line
      lastTurn = turn
    } else {
      last.spent.push(...line.spent)
      line.spent = []
    }
  }
}
