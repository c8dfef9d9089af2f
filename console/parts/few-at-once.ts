/** Lets a few of many calls run at a time, in the order in which they were asked for. */
export function fewAtOnce(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    else running += 1
    try {
      return await call()
    } finally {
      const next = waiting.shift()
      // Whoever waits takes the place over.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
