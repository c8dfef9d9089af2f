import type { Queryable } from '../../database/database.ts'
import { lookAhead } from './product-push.sql.ts'
import type { PushedLine } from './read-lines.ts'

/** Lines that are written together, the SKUs that they name, and an id for each of those that may be new. */
export type Portion = { lines: PushedLine[]; skus: Set<string>; ids: Map<string, number> }

/** Of products as they are before each line, which are read or kept whole to see what changes. */
const mostBytes = 1024 * 1024
const worthRemembering = 4_000

/**
 * Makes smaller portions where short lines change large products. Ids are set aside in the order in which the lines name new
 * SKUs, so that products are numbered in it although portions overtake each other.
 */
export async function* planPortions(
  database: Queryable,
  projectId: number,
  portions: AsyncIterable<PushedLine[]>,
  takesIds: boolean,
): AsyncGenerator<Portion> {
  const sizes = new Map<string, number>()
  for await (const lines of portions) {
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

function skusOf(lines: readonly PushedLine[]): Set<string> {
  return new Set(lines.flatMap((line) => ('product' in line ? line.sku : [])))
}

/** A product that the lines make or enlarge is as large for those that follow. */
function* split(lines: PushedLine[], sizes: Map<string, number>): Generator<PushedLine[]> {
  let part: PushedLine[] = []
  let sum = 0
  for (const line of lines) {
    const size = sizes.get(line.sku ?? '') ?? 0
    if (part.length > 0 && sum + size > mostBytes) {
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
