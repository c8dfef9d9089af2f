import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

type Turns = {
  /** How long the caller keeps the thread before other work gets a turn. */
  milliseconds?: number
  /** Rests after each turn for as long as it took, so that other requests have at least half of the thread. */
  rests?: boolean
}

/** Call the returned function after each item of a long computation. It returns a promise to await if other work is due a turn. */
export function takeTurns({ milliseconds = 10, rests = false }: Turns = {}): () => Promise<void> | undefined {
  let began = performance.now()
  async function pass(took: number): Promise<void> {
    await (rests ? sleep(took) : nextTurn())
    began = performance.now()
  }
  return () => {
    const took = performance.now() - began
    return took < milliseconds ? undefined : pass(took)
  }
}

/** Maps items in order, and yields to other work at intervals, because an item can take milliseconds. */
export async function mapInTurns<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result,
  turns: Turns = {},
): Promise<Result[]> {
  const results: Result[] = []
  const pass = takeTurns(turns)
  for (const item of items) {
    results.push(map(item))
    const turn = pass()
    if (turn !== undefined) await turn
  }
  return results
}
