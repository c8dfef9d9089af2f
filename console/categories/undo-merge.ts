import { read } from '../network.ts'
import { limitConcurrency } from '../parts/concurrency.ts'
import { patchProduct } from '../product/changes.ts'
import type { ListedCategory, Page, ProductDetail } from '../wire.ts'
import { createCategory, moveCategory } from './changes.ts'

/** Merges with more products or subcategories cannot be undone. */
export const mostUndone = 100
const concurrentWrites = 4

/** What a merge changes, read before it. */
export type MergeMemory = {
  category: ListedCategory
  children: number[]
  products: { id: number; version: number; categories: number[] }[]
}

/** Undefined if the merge is too large to be undone. */
export async function rememberMerge(
  project: number,
  category: ListedCategory,
): Promise<MergeMemory | undefined> {
  const path = `/console/api/projects/${project}`
  const [products, children] = await Promise.all([
    read<Page<ProductDetail>>(
      `${path}/products?category=${category.id}&expand=detail&page_size=${mostUndone}`,
    ),
    read<Page<ListedCategory>>(`${path}/categories?parent=${category.id}&page_size=${mostUndone}`),
  ])
  if (products.next !== null || children.next !== null) return undefined
  return {
    category,
    children: children.results.map(({ id }) => id),
    products: products.results.map(({ id, version, categories }) => ({
      id,
      version,
      categories: categories.map((one) => one.id),
    })),
  }
}

/** Creates the category again and moves everything back. Products that changed after the merge stay as they are. */
export async function undoMerge(
  project: number,
  { category: { id: old, name, parent, position }, children, products }: MergeMemory,
): Promise<{ id: number; restored: number }> {
  const { id } = await createCategory(project, { name, parent, position })
  for (const child of children) await moveCategory(project, child, id)
  const inTurn = limitConcurrency(concurrentWrites)
  const written = await Promise.allSettled(
    products.map(({ id: product, version, categories }) =>
      inTurn(() =>
        // The merge created the next version.
        patchProduct(
          project,
          product,
          { categories: categories.map((one) => (one === old ? id : one)) },
          version + 1,
        ),
      ),
    ),
  )
  return { id, restored: written.filter(({ status }) => status === 'fulfilled').length }
}
