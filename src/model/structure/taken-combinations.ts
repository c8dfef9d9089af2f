/** A key from the parent and the axis values of a variant. */
export function combinationOf(parentId: number, values: readonly unknown[]): string {
  return JSON.stringify([parentId, values])
}

/** A variant that requests a combination, or keeps it. */
type Claim = {
  id: number | undefined
  combination: string
  isKept: boolean
  /** Another product that has the combination. */
  holder: number | undefined
  /** Whether a variant that is not stored yet has it. */
  isTaken: boolean
}

/** The claims that lose, by index, with the ID of the product that has the combination, if there is one. */
export function takenClaims(claims: readonly Claim[]): Map<number, number | undefined> {
  const taken = new Map<number, number | undefined>()
  const seen = new Map<string, number | undefined>()
  const places = [...claims.entries()]
  // Variants that keep their values take precedence.
  const sorted = [...places.filter(([, { isKept }]) => isKept), ...places.filter(([, { isKept }]) => !isKept)]
  for (const [place, { id, combination, holder, isTaken }] of sorted)
    if (holder !== undefined || isTaken || seen.has(combination))
      taken.set(place, holder ?? seen.get(combination))
    else seen.set(combination, id)
  return taken
}
