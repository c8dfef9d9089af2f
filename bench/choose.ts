/** How requests choose among items. `zipfian` requests some of them far more often than others. */
export const distributions = ['uniform', 'zipfian'] as const
export type Distribution = (typeof distributions)[number]

/** The constant of YCSB. */
const theta = 0.99

/** Chooses an item from 0 to `count - 1`. */
export function chooser(distribution: Distribution, count: number): () => number {
  if (distribution === 'uniform') return () => Math.floor(Math.random() * count)
  const rank = zipfianRank(count)
  return () => scramble(rank()) % count
}

/** The generator of YCSB (Gray et al., "Quickly generating billion-record synthetic databases"). Rank 0 is the most frequent. */
export function zipfianRank(count: number): () => number {
  let zeta = 0
  for (let rank = 1; rank <= count; rank += 1) zeta += rank ** -theta
  const alpha = 1 / (1 - theta)
  const eta = (1 - (2 / count) ** (1 - theta)) / (1 - (1 + 0.5 ** theta) / zeta)
  return () => {
    const random = Math.random()
    if (random * zeta < 1) return 0
    if (random * zeta < 1 + 0.5 ** theta) return 1
    return Math.min(count - 1, Math.floor(count * (eta * random - eta + 1) ** alpha))
  }
}

/** A hash that spreads the frequent items over all of them, as YCSB does (FNV-1a). */
function scramble(rank: number): number {
  let hash = 0x811c9dc5
  for (let shift = 0; shift < 32; shift += 8) hash = Math.imul(hash ^ ((rank >>> shift) & 0xff), 0x01000193)
  return hash >>> 0
}
