import { expect, test } from 'vitest'
import { isSameValue } from '../fields/same-value.ts'
import {
  type Content,
  contentLength,
  contentOf,
  defaultContent,
  differences,
  newFields,
  patchContent,
  replaceContent,
} from './product-content.ts'

const content = (fields: object = {}): Content => ({ ...defaultContent, sku: 'A', name: 'N', ...fields })
const patched = (before: object, patch: object, names: object = {}) =>
  patchContent(content(before), patch as never, names)

test('a merge patch does not change fields that it leaves out, and null removes an attribute', () => {
  const before = { price: 5, attributes: { a: '1', b: '2', ['__proto__']: 'p' } }
  expect(patched(before, {})).toEqual(content(before))
  expect(patched(before, { name: 'M', price: null })).toEqual(content({ ...before, name: 'M', price: null }))
  const { attributes } = patched(before, { attributes: { b: null, c: '3' } })
  expect(attributes).toEqual({ a: '1', ['__proto__']: 'p', c: '3' })
  expect(patched({}, { attributes: { x: null } }).attributes).toEqual({})
  expect(patched({}, { attributes: { x: '1', y: null } }).attributes).toEqual({ x: '1' })
})

test('stock levels and provenance are not content, and stock settings merge one by one', () => {
  const inventory = { tracked: true, low_stock_threshold: 2, backorders: false }
  const patch = { inventory: { quantity: 9, reserved: 1, backorders: true }, provenance: { prompt_id: 1 } }
  const after = patched({ inventory }, patch)
  expect(after).toEqual(content({ inventory: { ...inventory, backorders: true } }))
  expect(
    replaceContent(content({ inventory }), { sku: 'A', name: 'N', ...patch } as never, {}),
  ).toMatchObject({
    inventory: { ...inventory, backorders: true },
  })
  expect(replaceContent(content({ inventory }), { sku: 'A', name: 'N' } as never, {}).inventory).toEqual(
    inventory,
  )
  expect(newFields({ sku: 'A', name: 'N', ...patch } as never, {})).toEqual({
    ...{ sku: 'A', name: 'N', categories: [], media: [], parent: null, components: [], links: {} },
  })
})

test('categories and components are replaced as a whole, links by kind, and an empty kind is removed', () => {
  const [one, two] = [
    { id: 1, sku: 'X' },
    { id: 2, sku: 'Y' },
  ]
  const before = {
    categories: [{ id: 1, name: 'C' }],
    components: [{ ...one, quantity: 1 }],
    links: { related: [one], upsell: [two] },
  }
  expect(patched(before, { categories: [] }, { categories: [], components: [] })).toMatchObject({
    categories: [],
    components: [],
  })
  expect(patched(before, {}, { links: { related: null, cross_sell: [two] } }).links).toEqual({
    upsell: [two],
    cross_sell: [two],
  })
  expect(patched(before, {}, { links: { upsell: [] } }).links).toEqual({ related: [one] })
})

test('a parent that does not change stays as stored, even if its SKU has changed', () => {
  const parent = { id: 1, sku: 'OLD' }
  expect(patched({ parent }, {}, { parent: { id: 1, sku: 'NEW' } }).parent).toBe(parent)
  expect(patched({ parent }, {}, { parent: { id: 2, sku: 'OLD' } }).parent).toEqual({ id: 2, sku: 'OLD' })
  expect(patched({ parent }, {}, { parent: null }).parent).toBeNull()
  expect(patched({}, {}, { parent }).parent).toEqual(parent)
  expect(patched({ parent }, {}).parent).toBe(parent)
})

test('a product that is no longer configurable loses its axes, unless the patch sets them', () => {
  const before = { product_type: 'configurable', variant_axes: ['size'] }
  expect(patched(before, { product_type: 'simple' }).variant_axes).toEqual([])
  expect(patched(before, { product_type: 'configurable' }).variant_axes).toEqual(['size'])
  expect(patched(before, { name: 'M' }).variant_axes).toEqual(['size'])
  expect(patched(before, { product_type: 'simple', variant_axes: ['a'] }).variant_axes).toEqual(['a'])
})

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 'x']))
const errorOf = (work: () => unknown) => {
  try {
    work()
  } catch (error) {
    return (error as { extras: { errors: object[] } }).extras.errors[0]
  }
  return undefined
}

test('a product has at most 200 attributes, also after several patches', () => {
  expect(Object.keys(patched({}, { attributes: many(200) }).attributes)).toHaveLength(200)
  expect(errorOf(() => patched({}, { attributes: many(201) }))).toEqual({
    pointer: '/attributes',
    code: 'too_many',
    message: 'a product can have at most 200 attributes; this one would have 201',
  })
  expect(errorOf(() => patched({ attributes: many(200) }, { attributes: { b: '1' } }))).toBeDefined()
  expect(
    errorOf(() => patched({ attributes: many(200) }, { attributes: { b: '1', a0: null } })),
  ).toBeUndefined()
})

test('texts, attributes and media have at most 1 MiB in total, and a larger product cannot grow', () => {
  const large = (length: number) => ({ attributes: { text: ['x'.repeat(length)] } })
  expect(errorOf(() => patched({}, large(1024 * 1024 - 200)))).toBeUndefined()
  expect(errorOf(() => patched({}, large(1024 * 1024)))).toMatchObject({
    pointer: '/attributes',
    code: 'too_large',
    message: expect.stringMatching(
      /at most 1 MiB in total; these have 10\d{5} bytes. Shorten or remove some/,
    ),
  })
  const before = large(2 * 1024 * 1024)
  expect(errorOf(() => patched(before, { name: 'M' }))).toBeUndefined()
  expect(errorOf(() => patched(before, large(2 * 1024 * 1024 + 1)))).toBeDefined()
  const length = (fields: object) => contentLength(content(fields)) - contentLength(content())
  expect(length({ attributes: { ab: 'cde', f: ['g'] } })).toBe(2 + 3 + 1 + 1 + 1)
  const waiting = { links: { related: [{ id: null, sku: 'X' }] } }
  expect(length(waiting)).toBe('related0idnullskuX'.length)
})

test('a product of exactly 1 MiB is accepted, and one byte more is rejected', () => {
  const texts = (length: number) => errorOf(() => patched({}, { attributes: { a: 'x'.repeat(length) } }))
  const most = 1024 * 1024
  const { message } = texts(most) as { message: string }
  const otherBytes = Number(/have (\d+) bytes/.exec(message)?.[1]) - most
  expect(texts(most - otherBytes)).toBeUndefined()
  expect(texts(most - otherBytes + 1)).toMatchObject({
    message: expect.stringContaining(`have ${most + 1} bytes`),
  })
})

test('differences have both sides of each change, and are undefined if nothing changed', () => {
  expect(differences(content(), content())).toBeUndefined()
  expect(differences(content(), content({ name: 'M', price: 1 }))).toEqual({
    before: { name: 'N', price: null },
    after: { name: 'M', price: 1 },
  })
  const settings = { tracked: true, low_stock_threshold: null, backorders: false }
  expect(contentOf({ ...content(), ...settings, quantity: 1 } as never)).toEqual(
    content({ inventory: settings }),
  )
})

test('a renamed category or product is equal, and so is a reference by SKU to its later product', () => {
  const [one, renamed, waiting, other] = [
    { id: 1, sku: 'X' },
    { id: 1, sku: 'Y' },
    { id: null, sku: 'X' },
    { id: 2, sku: 'X' },
  ]
  const same = (field: string, before: unknown, after: unknown) => isSameValue(field, before, after)
  expect(same('categories', [{ id: 1, name: 'A' }], [{ id: 1, name: 'B' }])).toBe(true)
  expect(same('categories', [{ id: 1, name: 'A' }], [{ id: 2, name: 'A' }])).toBe(false)
  expect(same('categories', null, [])).toBe(true)
  expect([same('parent', one, renamed), same('parent', one, other), same('parent', one, null)]).toEqual([
    true,
    false,
    false,
  ])
  expect(same('attributes.a', ['x'], ['x'])).toBe(true)
  expect(same('price', 1, null)).toBe(false)
  for (const [field, wrap] of [
    ['components', (list: unknown) => list],
    ['links.related', (list: unknown) => list],
    ['links', (list: unknown) => ({ related: list })],
  ] as const) {
    const alike = (before: object[], after: object[]) => same(field, wrap(before), wrap(after))
    expect([alike([one], [renamed]), alike([one], [waiting]), alike([waiting], [one])]).toEqual([
      true,
      true,
      true,
    ])
    expect([alike([one], [other]), alike([one], []), alike([], [one]), alike([waiting], [renamed])]).toEqual([
      false,
      false,
      false,
      false,
    ])
    expect(alike([{ ...one, quantity: 1 }], [{ ...one, quantity: 2 }])).toBe(false)
  }
  expect(same('links', {}, { upsell: [one] })).toBe(false)
  expect(same('links', {}, { upsell: [] })).toBe(true)
  expect([same('components', null, []), same('links.upsell', undefined, [one])]).toEqual([true, false])
})
