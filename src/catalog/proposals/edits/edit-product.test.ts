import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operations } from '../../../model/fields/field.ts'
import { type Content, defaultContent } from '../../../model/product/product-content.ts'
import { PushedProductSchema } from '../../../model/product/product-input.schema.ts'
import { compileBody } from '../../../platform/http/body/validate-body.ts'
import { checkEdits } from './check-edits.ts'
import type { Edit } from './edit.schema.ts'
import { editProduct } from './edit-product.ts'

const levels = { quantity: 7, reserved: 2 }
const shirt: Content = {
  ...defaultContent,
  sku: 'SHIRT-1',
  name: 'Red shirt, red',
  description: 'A shirt.',
  price: 19.99,
  status: 'active',
  categories: [{ id: 5, name: 'Shirts' }],
  attributes: { color: 'red', size: 42, tags: ['red', 'new'] },
  links: { related: [{ id: 3, sku: 'B' }] },
  inventory: { tracked: true, low_stock_threshold: 4, backorders: false },
}

function edit(edits: Edit[], changes: Partial<Content> = {}) {
  return editProduct(edits, { content: { ...shirt, ...changes }, levels })
}

const patch = (edits: Edit[], changes?: Partial<Content>) => edit(edits, changes).patch

test('set sets the value, and the patch has only edited fields', () => {
  const edits: Edit[] = [
    { field: 'status', op: 'set', value: 'archived' },
    { field: 'attributes.color', op: 'set', value: 'blue' },
    { field: 'attributes.a.b', op: 'set', value: [1, 2] },
    { field: 'links.upsell', op: 'set', value: [{ sku: 'C' }] },
    { field: 'inventory.quantity', op: 'set', value: 0 },
    { field: 'inventory.tracked', op: 'set', value: false },
  ]
  expect(edit(edits)).toEqual({
    patch: {
      status: 'archived',
      attributes: { color: 'blue', 'a.b': [1, 2] },
      links: { upsell: [{ sku: 'C' }] },
      inventory: { quantity: 0, tracked: false },
    },
    addCategories: [],
    removeCategories: [],
  })
})

test('clear restores the default of a field, and removes a value from its group with null', () => {
  const names = [
    'description',
    'price',
    'status',
    'product_type',
    'categories',
    'media',
    'parent',
    'components',
  ]
  const cleared = [...names, 'attributes.color', 'links.related', 'inventory.low_stock_threshold']
  expect(patch(cleared.map((field) => ({ field, op: 'clear' })))).toEqual({
    description: '',
    price: null,
    status: 'pending',
    product_type: 'simple',
    categories: [],
    media: [],
    parent: null,
    components: [],
    attributes: { color: null },
    links: { related: null },
    inventory: { low_stock_threshold: null },
  })
})

test('append and prepend add text after and before the current value', () => {
  expect(
    patch([
      { field: 'sku', op: 'prepend', value: 'OLD-' },
      { field: 'name', op: 'append', value: ' (sale)' },
      { field: 'short_description', op: 'append', value: 'New' },
      { field: 'attributes.color', op: 'prepend', value: 'dark ' },
    ]),
  ).toEqual({
    sku: 'OLD-SHIRT-1',
    name: 'Red shirt, red (sale)',
    short_description: 'New',
    attributes: { color: 'dark red' },
  })
})

test('replace replaces every occurrence, is case-sensitive, and uses both texts literally', () => {
  const replace = (find: string, replacement: string): Edit => ({
    field: 'name',
    op: 'replace',
    value: { find, with: replacement },
  })
  expect(patch([replace('r', '$&')])).toEqual({ name: 'Red shi$&t, $&ed' })
  expect(patch([replace('Red', 'Blue')])).toEqual({ name: 'Blue shirt, red' })
  expect(patch([replace(', red', '')])).toEqual({ name: 'Red shirt' })
  expect(patch([replace('.', '!')])).toEqual({})
  expect(patch([replace('aa', 'b')], { name: 'aaaaa' })).toEqual({ name: 'bba' })
})

test('a text edit does not change an attribute that is missing or not text', () => {
  const fields = ['size', 'tags', 'none', 'constructor', '__proto__']
  const edits = fields.map((name): Edit => ({ field: `attributes.${name}`, op: 'append', value: '!' }))
  expect(patch(edits)).toEqual({})
})

test('an attribute can have any name', () => {
  const edits: Edit[] = [
    { field: 'attributes.__proto__', op: 'set', value: 'a' },
    { field: 'attributes.__proto__', op: 'append', value: 'b' },
  ]
  expect(Object.entries(patch(edits).attributes ?? {})).toEqual([['__proto__', 'ab']])
})

test('a calculated price can be rounded to an ending or a step', () => {
  const raise: Edit = { field: 'price', op: 'multiply', value: 1.1 }
  expect(patch([{ ...raise, round: { ending: 0.95 } }])).toEqual({ price: 21.95 })
  expect(patch([{ ...raise, round: { step: 0.5, direction: 'up' } }])).toEqual({ price: 22 })
})

test('an attribute can be computed from the price, and products without a price do not change', () => {
  const sale: Edit = { field: 'attributes.sale_price', op: 'multiply', value: 0.8, from: 'price' }
  const rounded: Edit = { ...sale, round: { ending: 0.95 } }
  expect(patch([sale])).toEqual({ attributes: { sale_price: 15.99 } })
  expect(patch([rounded])).toEqual({ attributes: { sale_price: 15.95 } })
  expect(patch([{ ...sale, value: 1 }])).toEqual({ attributes: { sale_price: 19.99 } })
  expect(patch([sale], { price: null })).toEqual({})
  const raise: Edit = { field: 'price', op: 'set', value: 100 }
  expect(patch([raise, sale])).toEqual({ price: 100, attributes: { sale_price: 80 } })
})

test('multiply and add change attributes that are numbers, and no others', () => {
  const double: Edit = { field: 'attributes.weight', op: 'multiply', value: 2 }
  expect(patch([double], { attributes: { weight: 1.5 } })).toEqual({ attributes: { weight: 3 } })
  expect(patch([double], { attributes: { weight: '1.5 kg' } })).toEqual({})
})

test('multiply and add round to two decimals by default, and do not change a product without a price', () => {
  const multiply: Edit = { field: 'price', op: 'multiply', value: 1.155 }
  expect(patch([multiply])).toEqual({ price: 23.09 })
  expect(patch([{ ...multiply, decimals: 4 }])).toEqual({ price: 23.0885 })
  expect(patch([{ field: 'price', op: 'add', value: -20 }])).toEqual({ price: -0.01 })
  expect(patch([multiply, { field: 'price', op: 'add', value: 1 }], { price: null })).toEqual({})
  expect(patch([{ field: 'price', op: 'clear' }, multiply])).toEqual({ price: null })
})

test('edits apply in order, each to the result of the previous one', () => {
  expect(
    patch([
      { field: 'price', op: 'set', value: 10 },
      { field: 'price', op: 'multiply', value: 1.1 },
      { field: 'price', op: 'add', value: -0.01 },
      { field: 'name', op: 'set', value: 'Shirt' },
      { field: 'name', op: 'append', value: ', green' },
      { field: 'name', op: 'replace', value: { find: 'green', with: 'blue' } },
      { field: 'attributes.color', op: 'clear' },
      { field: 'attributes.color', op: 'append', value: 'x' },
    ]),
  ).toEqual({ price: 10.99, name: 'Shirt, blue', attributes: { color: null } })
})

test('text that exceeds every limit stays too long, and memory is bounded', () => {
  const grow: Edit = { field: 'description', op: 'replace', value: { find: 'a', with: 'a'.repeat(100_000) } }
  const shrink: Edit = { field: 'description', op: 'replace', value: { find: 'a', with: '' } }
  const { description = '' } = patch([grow, grow, shrink], { description: 'a'.repeat(100_000) })
  expect([...description].length).toBeGreaterThan(100_000)
  expect(description.length).toBeLessThan(300_000)
  const append: Edit = { field: 'description', op: 'append', value: 'b😀'.repeat(30_000) }
  const appended = patch([append, append, append], { description: '' }).description ?? ''
  expect([...appended].length).toBeGreaterThan(100_000)
  expect(appended.isWellFormed()).toBe(true)
})

test('neither the product nor the edits are modified, and products do not share edit values', () => {
  const edits: Edit[] = [
    { field: 'media', op: 'set', value: [{ url: 'https://a.example/1.png' }] },
    { field: 'categories', op: 'set', value: [{ name: 'Sale' }] },
    { field: 'categories', op: 'add_categories', value: [{ name: 'New' }] },
    { field: 'attributes.color', op: 'append', value: '!' },
  ]
  const before = structuredClone({ edits, shirt })
  const first = edit(edits)
  const second = edit(edits)
  expect(first).toEqual(second)
  expect(first.patch.media?.[0]).not.toBe(second.patch.media?.[0])
  expect(first.patch.categories?.[1]).not.toBe(second.patch.categories?.[1])
  expect({ edits, shirt }).toEqual(before)
})

test('a valid edit produces a line that a push accepts', { tags: 'slow' }, () => {
  const check = compileBody(PushedProductSchema)
  const fields = [
    ...Object.keys(shirt),
    'attributes.color',
    'attributes.new',
    'links.upsell',
    'inventory.quantity',
  ]
  const value = fc.oneof(
    fc.constantFrom(
      undefined,
      null,
      0,
      1.5,
      3,
      true,
      'active',
      'bundle',
      ' ',
      'x',
      [],
      ['size'],
      [{ sku: 'C' }],
      [5],
    ),
    fc.constantFrom({ sku: 'P' }, [{ name: 'Sale' }], [{ url: 'https://a.example/' }], {
      find: 'red',
      with: 'a',
    }),
  )
  const edits = fc.record({
    field: fc.constantFrom(...fields, 'inventory.low_stock_threshold', 'inventory.tracked'),
    op: fc.constantFrom(...operations),
    value,
  })
  let taken = 0
  fc.assert(
    fc.property(edits, (one) => {
      fc.pre(checkEdits([one]).length === 0)
      taken += 1
      expect(check({ sku: 'SHIRT-1', ...patch([one]) })).toHaveProperty('value')
    }),
    { numRuns: 500, maxSkipsPerRun: 1_000 },
  )
  expect(taken).toBe(500)
})

test('rename moves an attribute to a new name, unless the product already has it', () => {
  const rename = (value: string): Edit[] => [{ field: 'attributes.color', op: 'rename', value }]
  expect(patch(rename('colour'))).toEqual({ attributes: { color: null, colour: 'red' } })
  expect(patch(rename('size'))).toEqual({})
  expect(patch(rename('colour'), { attributes: {} })).toEqual({})
  const twice: Edit[] = [...rename('a'), { field: 'attributes.a', op: 'rename', value: 'b' }]
  expect(patch(twice)).toEqual({ attributes: { color: null, a: null, b: 'red' } })
})

test('replace renames a choice in a list, without duplicates', () => {
  const replace = (find: string, to: string): Edit[] => [
    { field: 'attributes.tags', op: 'replace', value: { find, with: to } },
  ]
  expect(patch(replace('red', 'crimson'))).toEqual({ attributes: { tags: ['crimson', 'new'] } })
  expect(patch(replace('red', 'new'))).toEqual({ attributes: { tags: ['new'] } })
  expect(patch(replace('re', 'x'))).toEqual({})
})
