/** Amounts in total and by key. A key whose amount is 0 takes no memory. */
export function countByKey() {
  let all = 0
  const amounts = new Map<number, number>()
  return {
    all: () => all,
    of: (key: number) => amounts.get(key) ?? 0,
    add(key: number | undefined, change: number): void {
      all += change
      if (key === undefined) return
      const now = (amounts.get(key) ?? 0) + change
      if (now === 0) amounts.delete(key)
      else amounts.set(key, now)
    },
  }
}
