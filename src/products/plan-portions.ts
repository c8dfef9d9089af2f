import type { Queryable } from '../database/database.ts'
import { lookAhead } from './product-push.sql.ts'
import type { PushedLine } from './read-pushed-lines.ts'

/** Lines that are written together, the SKUs that they name, and ids that are set aside for those that are new. */
export type Portion = { lines: PushedLine[]; skus: Set<string>; ids: number[] }

/** Of products that are read whole to see what changes. */
const mostBytes = 2 * 1024 * 1024

/**
 * Makes smaller portions where short lines change large products. Ids are set aside in the order of the lines, so that products
 * are numbered in it although portions overtake each other.
 */
export async function* planPortions(
  database: Queryable,
  projectId: number,
  portions: AsyncIterable<PushedLine[]>,
  takesIds: boolean,
): AsyncGenerator<Portion> {
  for await (const lines of portions) {
    const ahead = await lookAhead(database, projectId, [...skusOf(lines)], takesIds)
    const bytes = new Map(ahead.map(({ sku, bytes }) => [sku, bytes ?? 0]))
    const ids = ahead.flatMap(({ id }) => id ?? []).sort((a, b) => a - b)
    const isNew = new Set(ahead.flatMap(({ sku, id }) => (id === null ? [] : sku)))
    for (const part of split(lines, bytes)) {
      const skus = skusOf(part)
      const fresh = skus.intersection(isNew)
      for (const sku of fresh) isNew.delete(sku)
      yield { lines: part, skus, ids: ids.splice(0, fresh.size) }
    }
  }
}

function skusOf(lines: readonly PushedLine[]): Set<string> {
  return new Set(lines.flatMap((line) => ('product' in line ? line.product.sku : [])))
}

function* split(lines: PushedLine[], bytes: Map<string, number>): Generator<PushedLine[]> {
  let part: PushedLine[] = []
  let sum = 0
  for (const line of lines) {
    part.push(line)
    sum += bytes.get(line.sku ?? '') ?? 0
    if (sum < mostBytes) continue
    yield part
    part = []
    sum = 0
  }
  if (part.length > 0) yield part
}
