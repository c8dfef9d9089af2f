import type { Line } from '../../platform/http/request/split-body.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { looselyRead } from './order-lines.ts'
import { givenSku } from './read-batches.ts'

/** SKUs that several lines have. Lines that cannot be read have none. A line may have a mebibyte, so others get their turn in between. */
export async function findRepeatedSkus(lines: readonly (Line | undefined)[]): Promise<Set<string>> {
  const met = new Set<string>()
  const repeated = new Set<string>()
  await mapInTurns(lines, (line) => {
    const sku = givenSku(looselyRead(line))
    if (sku === null) return
    if (met.has(sku)) repeated.add(sku)
    met.add(sku)
  })
  return repeated
}
