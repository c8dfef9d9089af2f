import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { scaled } from '../../../../test/faults/scale.ts'
import { sharedTestService } from '../../../../test/harness.ts'

/* Product names of the demo shop: a thousand names, many of which differ only by color, size or brand. */

type Named = { sku: string; name: string }

const demo = readFileSync(new URL('../../../operations/demo/data/products.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Named)
  .map(({ sku, name }) => ({ sku, name }))

/** Numbers from 0 to below 1, the same in each run. */
function numbersFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz'

/** One typo: a letter added, missing or wrong, or two letters swapped. */
function misspell(text: string, next: () => number): string {
  const at = Math.floor(next() * (text.length - 1))
  const [before, letter, after] = [text.slice(0, at), text[at] ?? '', text.slice(at + 1)]
  const other = alphabet[Math.floor(next() * alphabet.length)] ?? ''
  const typos = [
    before + other + letter + after,
    before + after,
    before + other + after,
    before + (after[0] ?? '') + letter + after.slice(1),
  ]
  return typos[Math.floor(next() * typos.length)] ?? text
}

const searches = scaled(60, 500)

test(`of ${searches} product names with a typo, at least 95 % find their product among the first ten`, {
  tags: 'slow',
}, async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  const pushed = await shop.call('/v2/products/bulk', { method: 'POST', body: demo })
  expect(pushed.body.summary).toMatchObject({ created: demo.length })
  const next = numbersFrom(38)
  const missed: string[] = []
  for (let times = 0; times < searches; times += 1) {
    const { sku, name } = demo[Math.floor(next() * demo.length)] as Named
    const search = misspell(name, next)
    const query = new URLSearchParams({ search, match: 'close', page_size: '10' })
    const { body } = await shop.call(`/v2/products?${query}`)
    if (!body.results.some((found: Named) => found.sku === sku))
      missed.push(`${search} (${name}, ${body.count})`)
  }
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(searches * 0.05)
})
