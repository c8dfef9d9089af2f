/** Limits how many calls run at the same time. Calls start in order. */
export function limitConcurrency(most: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (running >= most) await new Promise<void>((go) => waiting.push(go))
    else running += 1
    try {
      return await call()
    } finally {
      const next = waiting.shift()
      // The next call takes over the slot.
      if (next === undefined) running -= 1
      else next()
    }
  }
}
