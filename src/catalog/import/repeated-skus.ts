import { createHash } from 'node:crypto'

const firstSlots = 1024

/**
 * Returns whether a SKU occurred before. It stores 6 bytes of a hash per SKU, because the SKUs themselves would take too much
 * memory in a long import.
 */
export function repeatedSkus(): (sku: string) => boolean {
  let slots = new Float64Array(firstSlots)
  let stored = 0

  /** Returns whether the key was already in the table. */
  function insert(table: Float64Array, key: number): boolean {
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
    for (const key of slots) if (key !== 0) insert(larger, key)
    slots = larger
  }

  return (sku) => {
    if (insert(slots, keyOf(sku))) return true
    stored += 1
    if (stored * 2 > slots.length) grow()
    return false
  }
}

/** Never 0, which marks an empty slot. */
function keyOf(sku: string): number {
  return createHash('sha1').update(sku).digest().readUIntBE(0, 6) + 1
}
