import { shortened } from './shorten-content.ts'
import type { Content } from './tool.ts'
import { fits } from './tool-result.ts'

type Page = { count: number; results: unknown[] }
type Place = { page: number; page_size: number }

/**
 * The items of a page that fit into a response, and the arguments of the next call. A page that is too large becomes a smaller one
 * whose size divides it, so that following calls neither skip nor repeat an item.
 */
export function pageContent({ count, results }: Page, { page, page_size }: Place): Content {
  const before = (page - 1) * page_size
  for (const size of sizesOf(page_size)) {
    const items = results.slice(0, size)
    const next = before + items.length < count ? { page: before / size + 2, page_size: size } : null
    const content = { count, next, untrusted: { results: items } }
    if (fits(content)) return content
    if (size === 1) return shortened(content)
  }
  return { count, next: null, untrusted: { results: [] } }
}

/** The divisors of a page size, largest first. */
function sizesOf(size: number): number[] {
  return Array.from({ length: size }, (_, index) => size - index).filter((one) => size % one === 0)
}

export const pageOutput = {
  count: { type: 'integer', description: 'All matching items' },
  next: {
    type: ['object', 'null'],
    description: 'The arguments of the next page, in addition to the same filters; null on the last page',
  },
}

/** Paths in `untrusted` whose text or list was cut, on every tool that returns long ones. */
export const shortenedOutput = {
  shortened: {
    type: 'array',
    items: { type: 'string' },
    description: 'Places in `untrusted` where the text or the list is longer than shown',
  },
}
