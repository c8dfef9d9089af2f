import { textLength } from '../../model/product/product-content.ts'
import type { Pushed } from './apply-lines.ts'

const leastCharacters = 1_000
/** Of what a prompt wrote: the name of a field, and of a model. */
const entryCharacters = 300

/** Keeps products as lines have left them: those that were kept last, as many as so many characters make. */
export function rememberProducts(mostCharacters: number) {
  const kept = new Map<string, { product: Pushed; size: number }>()
  let total = 0

  function forget(sku: string): void {
    total -= kept.get(sku)?.size ?? 0
    kept.delete(sku)
  }

  return {
    find: (sku: string): Pushed | undefined => kept.get(sku)?.product,
    keep(sku: string, product: Pushed): void {
      forget(sku)
      const entries = Object.keys(product.provenance).length
      const size = leastCharacters + textLength(product.content) + entries * entryCharacters
      // What was changed on the way is told already.
      kept.set(sku, { product: { ...product, steps: [], adjustments: [] }, size })
      total += size
      for (const oldest of kept.keys()) {
        if (total <= mostCharacters) break
        forget(oldest)
      }
    },
  }
}
