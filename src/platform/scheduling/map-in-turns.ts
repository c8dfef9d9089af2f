import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

const turnMilliseconds = 10

type Turns = {
  /** Rests after each turn for as long as it took, so that other requests have at least half of the thread. */
  rests?: boolean
}

/** Maps items in order, and lets others have a turn whenever it took long: an item may cost milliseconds. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
  { rests = false }: Turns = {},
): Promise<Result[]> {
  const results: Result[] = []
  let began = performance.now()
  for (const item of items) {
    results.push(map(item))
    const took = performance.now() - began
    if (took < turnMilliseconds) continue
    await (rests ? sleep(took) : nextTurn())
    began = performance.now()
  }
  return results
}
