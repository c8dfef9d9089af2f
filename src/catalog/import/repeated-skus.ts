import { createHash } from 'node:crypto'

const firstSlots = 1024

/**
 * Says of each SKU whether it was there before. It keeps 6 bytes of a hash of each, in a table of numbers: the SKUs themselves
 * would fill the memory of a long import.
 */
export function repeatedSkus(): (sku: string) => boolean {
  let slots = new Float64Array(firstSlots)
  let kept = 0

  /** Returns whether the key was in the table already. */
  function keep(table: Float64Array, key: number): boolean {
    let at = key % table.length
    while (table[at] !== 0) {
      if (table[at] === key) return true
      at = (at + 1) % table.length
    }
    table[at] = key
    return false
  }

  function grow(): void {
    const larger = new Float64Array(slots.length * 2)
    for (const key of slots) if (key !== 0) keep(larger, key)
    slots = larger
  }

  return (sku) => {
    if (keep(slots, keyOf(sku))) return true
    kept += 1
    if (kept * 2 > slots.length) grow()
    return false
  }
}

/** Never 0, which stands for an empty slot. */
function keyOf(sku: string): number {
  return createHash('sha1').update(sku).digest().readUIntBE(0, 6) + 1
}
