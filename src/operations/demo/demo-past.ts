import type { NewProduct } from '../../model/product/product-input.schema.ts'
import { attributes, type Chapter, daily, prices, texts } from './demo-chapters.ts'
import { seededRandom } from './random.ts'

/** Those that wrote descriptions and weights. */
type PromptIds = { writer: number; reader: number }

type Past = {
  /** The products as they were made. */
  turns: NewProduct[][]
  /** How they became what they are, oldest first. */
  chapters: Chapter[]
  /** Products that are active, complete and unchanged so far, for proposals. */
  rest: NewProduct[]
}

/** The guide changes the first products, and the last ones came only lately. */
const [firstChanged, firstLate] = [10, 700]

/**
 * The shop of some months ago: prices that were higher, texts that a prompt had yet to write, drafts. What it has become is what
 * the demo has always been, so no count depends on its past.
 */
export function demoPast(turns: NewProduct[][], promptIds: PromptIds): Past {
  const random = seededRandom(2611)
  const steady = turns.flat().slice(firstChanged, firstLate).filter(isComplete)
  const drawn = random.shuffled(steady)
  const take = (count: number) => drawn.splice(0, count)
  const earlier = new Map<string, Partial<NewProduct>>()
  const chapters: Chapter[] = [
    ...prices(take(120), earlier),
    ...texts(take(72), earlier, promptIds.writer, random),
    ...attributes(take(24), earlier, promptIds.reader),
    ...daily(take(72), earlier),
  ].sort((one, other) => other.daysAgo - one.daysAgo)
  const made = (product: NewProduct) => ({ ...product, ...earlier.get(product.sku) })
  return { turns: turns.map((turn) => turn.map(made)), chapters, rest: drawn }
}

function isComplete({ status, price, description, attributes, components }: NewProduct): boolean {
  const isWhole = price !== null && description.length > 120 && typeof attributes['weight_g'] === 'number'
  return isWhole && status === 'active' && components.length === 0
}
