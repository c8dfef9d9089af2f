import { createMissingCategories } from '../../categories/look-up-categories.ts'
import type { Transaction } from '../../database/database.ts'
import type { Content } from '../product-content.ts'
import type { Author } from '../product-write.sql.ts'
import { qualityRulesVersion, scoreProduct } from '../quality-score.ts'
import { searchText } from '../search-text.ts'
import type { Pushed } from './apply-lines.ts'
import { insertPushed, takeProductIds, updatePushed } from './product-push.sql.ts'

/**
 * Writes what the lines made of the products: a handful of statements, however many they are. New ones take the ids that were
 * set aside, and others when those do not suffice. Returns how many milliseconds the last change is ahead of the clock.
 */
export async function writePushed(
  tx: Transaction,
  projectId: number,
  author: Author,
  products: Iterable<Pushed>,
  ids: ReadonlyMap<string, number>,
): Promise<number> {
  const touched = [...products].filter(
    ({ created, steps, adjustments }) => created !== undefined || steps.length > 0 || adjustments.length > 0,
  )
  await createMissingCategories(tx, projectId, categoriesOf(touched))
  const fresh = touched.filter(({ created }) => created !== undefined)
  if (fresh.length > 0) await insertNew(tx, projectId, author, fresh, ids)
  const changed = touched.filter(({ steps, adjustments }) => steps.length > 0 || adjustments.length > 0)
  return changed.length > 0 ? updateChanged(tx, projectId, author, changed) : 0
}

function* categoriesOf(products: readonly Pushed[]): Generator<Content['categories'][number]> {
  for (const { created, steps } of products) {
    yield* created?.content.categories ?? []
    for (const { after } of steps) yield* after.categories ?? []
  }
}

async function insertNew(
  tx: Transaction,
  projectId: number,
  author: Author,
  fresh: readonly Pushed[],
  setAside: ReadonlyMap<string, number>,
): Promise<void> {
  // Numbered in the order of the lines, written in the order of the SKUs.
  for (const product of fresh) product.id = setAside.get(product.content.sku)
  const unnumbered = fresh.filter(({ id }) => id === undefined)
  const more = unnumbered.length === 0 ? [] : await takeProductIds(tx, unnumbered.length)
  for (const [index, product] of unnumbered.entries()) product.id = more[index]
  const sorted = fresh.toSorted((a, b) => (a.content.sku < b.content.sku ? -1 : 1))
  const rows = sorted.map(({ id, created }) => {
    const { content, levels } = created as NonNullable<Pushed['created']>
    return {
      id,
      content,
      ...levels,
      search_text: searchText(content),
      category_ids: idsOf(content.categories),
      ...qualityOf(content),
    }
  })
  await insertPushed(tx, projectId, qualityRulesVersion, author, asLines(rows))
}

async function updateChanged(
  tx: Transaction,
  projectId: number,
  author: Author,
  changed: readonly Pushed[],
): Promise<number> {
  const history = changed.flatMap(({ id, steps }) =>
    steps.map(({ before, after }, index) => ({ id, number: index + 1, before, after })),
  )
  const adjustments = changed.flatMap(({ id, adjustments }) =>
    adjustments.map((adjustment) => ({ id, ...adjustment })),
  )
  return updatePushed(tx, projectId, qualityRulesVersion, author, {
    products: asLines(changed.map(changedRow)),
    history: asLines(history),
    adjustments: asLines(adjustments),
  })
}

/** Large fields that no step touched stay as they are, unsent. */
function changedRow({ id, content, levels, steps, adjustments }: Pushed): object {
  const { name, description, short_description, attributes, price, status, product_type, inventory } = content
  const touched = (field: keyof Content) => steps.some(({ after }) => field in after)
  return {
    id,
    ...(touched('name') && { name, search_text: searchText(content) }),
    ...(touched('description') && { description }),
    ...(touched('short_description') && { short_description }),
    ...(touched('attributes') && { attributes }),
    ...(touched('categories') && { category_ids: idsOf(content.categories) }),
    price,
    status,
    product_type,
    ...inventory,
    ...levels,
    ...qualityOf(content),
    steps: steps.length,
    is_stocked: adjustments.length > 0,
  }
}

function asLines(objects: readonly object[]): string {
  return objects.map((object) => JSON.stringify(object)).join('\n')
}

/** As an array of PostgreSQL. */
function idsOf(categories: Content['categories']): string {
  return `{${categories.map(({ id }) => id).join()}}`
}

function qualityOf(content: Content): { quality_score: number; quality_failed: string } {
  const { score, failed } = scoreProduct(content)
  // The codes are ours: words that need no quotes.
  return { quality_score: score, quality_failed: `{${failed.join()}}` }
}
