import { beforeAll, describe, expect, test } from 'vitest'
import { sharedTestService, type Tenant, type TestResponse, type TestService } from '../../../test/harness.ts'
import type { Line } from '../../platform/http/body/split-body.ts'
import { orderLines } from './read-lines.ts'

function bodyLines(...products: unknown[]): (Line | undefined)[] {
  return products.map((product, index) => ({
    number: index + 1,
    bytes: Buffer.from(typeof product === 'string' ? product : JSON.stringify(product)),
    spent: [],
  }))
}

const numbers = (lines: (Line | undefined)[]) => lines.map((line) => line?.number)

test('variants follow products without references, bundles follow variants, and lines with the same SKU keep their order', async () => {
  const lines = bodyLines(
    { sku: 'BUNDLE', components: [{ sku: 'RED' }] },
    { sku: ' RED ', name: 'Red' },
    { sku: 'RED', parent: { sku: 'SHIRT' } },
    { sku: 'SHIRT', product_type: 'configurable' },
    'no JSON, "parent": {',
    { sku: 'BUNDLE', price: 5 },
    { sku: 'RED', parent: null },
  )
  const ranges = await orderLines(lines)
  expect(numbers(lines)).toEqual([4, 5, 2, 3, 7, 1, 6])
  expect(ranges).toEqual([
    { from: 0, to: 2, turn: 0 },
    { from: 2, to: 5, turn: 1 },
    { from: 5, to: 7, turn: 2 },
  ])
  expect(await orderLines(lines)).toEqual(ranges)
  expect(numbers(lines)).toEqual([4, 5, 2, 3, 7, 1, 6])
})

test('lines without references keep their order, regardless of their text', async () => {
  const lines = bodyLines(
    { sku: 'A', parent: null, components: [], description: '"parent":{"sku":"B"}' },
    { sku: 'B', attributes: { parent: 'C', components: ['C'] } },
  )
  expect(await orderLines(lines)).toEqual([{ from: 0, to: 2, turn: 0 }])
  expect(numbers(lines)).toEqual([1, 2])
})

test('memory is retained until every line in it was read', async () => {
  const lines = bodyLines(
    { sku: 'A' },
    { sku: 'RED', parent: { sku: 'SHIRT' } },
    { sku: 'SHIRT' },
    { sku: 'BLUE', parent: { sku: 'SHIRT' } },
    { sku: 'B' },
  )
  const memories = lines.map(() => new ArrayBuffer(1))
  for (const [index, line] of lines.entries()) line?.spent.push(memories[index] as ArrayBuffer)
  await orderLines(lines)
  const spentBy = lines.map((line) => line?.spent.map((memory) => memories.indexOf(memory) + 1))
  expect(numbers(lines)).toEqual([1, 3, 5, 2, 4])
  expect(spentBy).toEqual([[1], [], [], [2, 3], [4, 5]])
})

describe('a push whose lines reference products of later lines', () => {
  let service: TestService
  beforeAll(async () => {
    service = await sharedTestService()
  })

  /** Other lines separate related lines. */
  const linesAround = (others: number) => [
    { sku: 'SET', name: 'Set', product_type: 'bundle', components: [{ sku: 'SHIRT-S', quantity: 2 }] },
    { sku: 'SHIRT-S', name: 'Shirt, S', attributes: { size: 'S' }, parent: { sku: 'SHIRT' } },
    ...Array.from({ length: others }, (_, index) => ({ sku: `PLAIN-${index}`, name: 'Plain' })),
    { sku: 'SHIRT-M', name: 'Shirt, M', parent: { sku: 'SHIRT' } },
    { sku: 'SHIRT', name: 'Shirt', product_type: 'configurable', variant_axes: ['size'] },
  ]

  const push = ({ call }: Tenant, body: object[], query = '') =>
    call(`/v2/products/bulk?references=strict${query}`, { method: 'POST', body })
  const outcomes = ({ body }: TestResponse): [number, string][] =>
    body.results.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])
  const read = async ({ call }: Tenant, sku: string) => (await call(`/v2/products/by-sku/${sku}`)).body
  /** A line without a value for an axis of its parent is rejected. */
  const expectedOf = (lines: { sku: string }[]) =>
    lines.map(({ sku }, index) => [index + 1, sku === 'SHIRT-M' ? 'rejected' : 'created'])

  test('binds all references, and returns results in line order', { tags: 'slow' }, async () => {
    const shop = await service.tenant()
    // Several parallel batches.
    const lines = linesAround(2_496)
    expect(outcomes(await push(shop, lines))).toEqual(expectedOf(lines))
    const [set, small, shirt] = await Promise.all(['SET', 'SHIRT-S', 'SHIRT'].map((sku) => read(shop, sku)))
    expect(small.parent).toEqual({ id: shirt.id, sku: 'SHIRT' })
    expect(set.components).toEqual([{ id: small.id, sku: 'SHIRT-S', quantity: 2 }])
    expect(shirt.id).toBeLessThan(small.id)
    expect(small.id).toBeLessThan(set.id)
  })

  test('does the same if it is atomic or a dry run', async () => {
    const shop = await service.tenant()
    const lines = linesAround(20)
    const expected = expectedOf(lines)
    const rejected = await push(shop, lines, '&on_error=abort')
    expect([rejected.status, outcomes(rejected)]).toEqual([422, expected])
    expect(outcomes(await push(shop, lines, '&dry_run=true'))).toEqual(expected)
    const fixed = lines.map((line) =>
      line.sku === 'SHIRT-M' ? { ...line, attributes: { size: 'M' } } : line,
    )
    const written = await push(shop, fixed, '&on_error=abort')
    expect(written.body.summary).toMatchObject({ created: lines.length, rejected: 0 })
    expect(outcomes(written).map(([line]) => line)).toEqual(lines.map((_, index) => index + 1))
    expect((await read(shop, 'SHIRT-M')).parent.id).toBe((await read(shop, 'SHIRT')).id)
  })

  test('shows in a dry run the result after a later line makes a product configurable', async () => {
    const shop = await service.tenant()
    await push(shop, [{ sku: 'SHIRT', name: 'Shirt' }])
    const configured = linesAround(0).slice(1)
    const expected = [
      [1, 'created'],
      [2, 'rejected'],
      [3, 'updated'],
    ]
    expect(outcomes(await push(shop, configured, '&dry_run=true'))).toEqual(expected)
    expect(outcomes(await push(shop, configured))).toEqual(expected)
  })
})
