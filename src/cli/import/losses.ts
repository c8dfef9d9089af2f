/** What a file holds and the catalog does not take: how many rows, by kind. */
export type Losses = { add(kind: string): void; counts(): Record<string, number> }

export function countLosses(): Losses {
  const rows = new Map<string, number>()
  return {
    add: (kind) => void rows.set(kind, (rows.get(kind) ?? 0) + 1),
    counts: () => Object.fromEntries([...rows].sort(([, one], [, other]) => other - one)),
  }
}

/** For a second reading of the same file. */
export const countNoLosses: Losses = { add: () => {}, counts: () => ({}) }
