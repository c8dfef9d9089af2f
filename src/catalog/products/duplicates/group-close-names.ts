import { duplicateLimits } from '../../limits.ts'
import { findClosePairs, type Pair } from './close-names.ts'
import { addTo } from './name-words.ts'
import type { NamedProduct, SameValue } from './product-duplicates.sql.ts'

/** A group has one name and the names that are close to it, so that a chain of close names does not become one group. */
export async function groupCloseNames(
  products: readonly NamedProduct[],
  budgetMilliseconds?: number,
): Promise<{ groups: SameValue[]; isComplete: boolean }> {
  const byName = Map.groupBy(products, ({ name }) => name)
  const names = [...byName.keys()]
  const { pairs, isComplete } = await findClosePairs(names, budgetMilliseconds)
  const groups: SameValue[] = []
  for (const chosen of groupPairs(pairs)) {
    const members = chosen
      .flatMap((at) => byName.get(names[at] as string) ?? [])
      .sort((one, other) => one.id - other.id)
    if (new Set(members.map(({ family }) => family)).size < 2) continue
    const ids = members.slice(0, duplicateLimits.groupProducts).map(({ id }) => id)
    groups.push({ value: members[0]?.name ?? '', count: members.length, ids })
  }
  return { groups: groups.sort((one, other) => firstId(one) - firstId(other)), isComplete }
}

function groupPairs(pairs: readonly Pair[]): number[][] {
  const neighbors = new Map<number, number[]>()
  for (const [one, other] of pairs) {
    addTo(neighbors, one, other)
    addTo(neighbors, other, one)
  }
  const taken = new Set<number>()
  const groups: number[][] = []
  for (const [center, others] of neighbors) {
    if (taken.has(center)) continue
    const group = [center, ...others.filter((other) => !taken.has(other))]
    for (const at of group) taken.add(at)
    if (group.length > 1) groups.push(group)
  }
  return groups
}

function firstId({ ids }: SameValue): number {
  return ids[0] ?? 0
}
