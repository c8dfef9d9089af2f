import { setImmediate as nextTurn } from 'node:timers/promises'

const turnMilliseconds = 10

/** Maps items in order, and lets others have a turn whenever it took long: an item may cost milliseconds. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(map(item))
    if (performance.now() - began < turnMilliseconds) continue
    await nextTurn()
    began = performance.now()
  }
  return results
}
