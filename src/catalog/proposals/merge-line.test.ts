import { expect, test } from 'vitest'
import { defaultContent } from '../../model/product/product-content.ts'
import type { ProductState } from '../batches/apply-line.ts'
import {
  baseVersion,
  changedSince,
  conflictsOf,
  editedCategories,
  newStock,
  patchFromChanges,
  pushedLine,
  stockChanges,
} from './merge-line.ts'
import { isFollowing, type OpenLine } from './open-line.sql.ts'

/** The current product, with these fields and stock levels. */
function held(fields: object = {}, created?: unknown): ProductState {
  const content = { ...defaultContent, sku: 'A', name: 'Now', ...fields }
  return {
    content,
    levels: { quantity: 3, reserved: 1 },
    ...(created === undefined ? {} : { created }),
  } as never
}

function line(changes: OpenLine['changes'], more: Partial<OpenLine> = {}) {
  return { outcome: 'updated', changes, categories: null, sku: 'A', product_id: 1, ...more } as const
}

const change = (before: unknown, after: unknown) => ({ before, after })
const conflicts = (changes: OpenLine['changes'], fields: object = {}) =>
  conflictsOf(line(changes), held(fields))

test('a field with its base value or the proposed value is written; any other value is a three-way conflict', () => {
  expect(conflicts({ name: change('Now', 'New') })).toEqual({})
  expect(conflicts({ name: change('Was', 'Now') })).toEqual({})
  expect(conflicts({ name: change('Was', 'New') })).toEqual({
    name: { base: 'Was', theirs: 'Now', ours: 'New' },
  })
  expect(conflicts(null)).toEqual({})
  expect(conflictsOf(line({ name: change('Was', 'New') }), undefined)).toEqual({})
})

test('a product that was created since with the SKU of a new product is a conflict of the SKU', () => {
  const sku = { sku: { base: null, theirs: 'A', ours: 'A' } }
  expect(conflictsOf(line(null, { outcome: 'created', product_id: null }), held())).toEqual(sku)
  expect(conflictsOf(line(null, { product_id: null }), held())).toEqual(sku)
  expect(conflictsOf(line(null, { product_id: null }), held({}, {}))).toEqual({})
  expect(isFollowing({ outcome: 'updated', product_id: null })).toBe(true)
  expect(isFollowing({ outcome: 'created', product_id: null })).toBe(false)
  expect(isFollowing({ outcome: 'updated', product_id: 1 })).toBe(false)
})

test('attributes, links and stock values are merged individually, even with method names', () => {
  const attributes = { attributes: { color: 'red', constructor: 'x' } }
  expect(conflicts({ 'attributes.color': change('red', 'blue') }, attributes)).toEqual({})
  expect(Object.keys(conflicts({ 'attributes.color': change('green', 'blue') }, attributes))).toEqual([
    'attributes.color',
  ])
  expect(conflicts({ 'attributes.constructor': change('y', 'z') }, attributes)).toEqual({
    'attributes.constructor': { base: 'y', theirs: 'x', ours: 'z' },
  })
  expect(conflicts({ 'attributes.toString': change(null, 'z') })).toEqual({})
  expect(conflicts({ 'inventory.quantity': change(3, 5) })).toEqual({})
  expect(conflicts({ 'inventory.quantity': change(2, 5) })).toEqual({
    'inventory.quantity': { base: 2, theirs: 3, ours: 5 },
  })
  expect(conflicts({ 'inventory.tracked': change(false, true) })).toEqual({})
})

test('categories are compared by ID, or by name if they had none; added and removed categories never conflict', () => {
  const now = { categories: [{ id: 7, name: 'C' }] }
  const to = [{ id: 8, name: 'D' }]
  expect(conflicts({ categories: change([{ id: 7, name: 'old' }], to) }, now)).toEqual({})
  expect(conflicts({ categories: change([{ id: null, name: 'C' }], to) }, now)).toEqual({})
  for (const base of [[{ id: null, name: 'X' }], [{ id: 9, name: 'C' }], [], null])
    expect(Object.keys(conflicts({ categories: change(base, to) }, now))).toEqual(['categories'])
  const two = { categories: [...now.categories, { id: 9, name: 'E' }] }
  const half = [
    { id: 7, name: 'C' },
    { id: 6, name: 'E' },
  ]
  expect(Object.keys(conflicts({ categories: change(half, to) }, two))).toEqual(['categories'])
  const longer = [...now.categories, { id: 9, name: 'E' }]
  expect(Object.keys(conflicts({ categories: change(longer, to) }, now))).toEqual(['categories'])
  const free = { categories: { added: [], removed: [] } as never }
  expect(conflictsOf(line({ categories: change([], to) }, free), held(now))).toEqual({})
  expect(Object.keys(conflictsOf(line({ name: change('Was', 'New') }, free), held(now)))).toEqual(['name'])
})

test('a parent is compared by ID, or by SKU if it had none', () => {
  const now = { parent: { id: 7, sku: 'P' } }
  const to = { id: 8, sku: 'Q' }
  expect(conflicts({ parent: change({ id: 7, sku: 'old' }, to) }, now)).toEqual({})
  expect(conflicts({ parent: change({ id: null, sku: 'P' }, to) }, now)).toEqual({})
  for (const base of [{ id: 9, sku: 'P' }, { id: null, sku: 'X' }, null])
    expect(Object.keys(conflicts({ parent: change(base, to) }, now))).toEqual(['parent'])
  expect(Object.keys(conflicts({ parent: change({ id: 7, sku: 'P' }, to) }))).toEqual(['parent'])
  expect(conflicts({ parent: change(null, to) })).toEqual({})
})

test('a line that makes a product non-configurable conflicts with axes that were added since, unless the line sets them', () => {
  const now = { product_type: 'configurable', variant_axes: ['size'] }
  const type = change('configurable', 'simple')
  expect(conflicts({ product_type: type }, now)).toEqual({
    variant_axes: { base: [], theirs: ['size'], ours: [] },
  })
  expect(conflicts({ product_type: type, variant_axes: change(['size'], []) }, now)).toEqual({})
  expect(conflicts({ product_type: change('configurable', 'configurable') }, now)).toEqual({})
  expect(conflicts({ name: change('Now', 'New') }, now)).toEqual({})
})

test('each conflict has an error with the pointer of its field, up to 20', () => {
  const side = { base: 1, theirs: 2, ours: 3 }
  expect(changedSince({ 'attributes.a/b~c': side }, 1)).toEqual([
    { pointer: '/attributes/a~1b~0c', code: 'changed_since', message: 'was changed by someone else since' },
  ])
  const [made] = changedSince({ sku: { ...side, base: null } }, 9)
  expect(made).toMatchObject({ pointer: '/sku', message: 'product 9 was created with this SKU since' })
  expect(changedSince({ sku: side }, 9)[0]?.message).toBe('was changed by someone else since')
  expect(changedSince({ name: { ...side, base: null } }, 9)[0]?.message).toContain('someone else')
  const [, nameError] = changedSince({ sku: { ...side, base: null }, name: side }, 9)
  expect(nameError?.message).toBe('was changed by someone else since')
  const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`attributes.${index}`, side]))
  expect(changedSince(many, 1)).toHaveLength(20)
})

test('only stock levels are stored outside the history, and a line that changes them has no base version', () => {
  const quantity = change(1, 2)
  const reserved = change(0, 1)
  expect(stockChanges(Object.entries({ name: quantity, 'inventory.tracked': quantity }))).toBeNull()
  expect(
    stockChanges(
      Object.entries({ name: quantity, 'inventory.quantity': quantity, 'inventory.reserved': reserved }),
    ),
  ).toEqual({ 'inventory.quantity': quantity, 'inventory.reserved': reserved })
  expect(newStock({ inventory: { quantity: 4, tracked: true } } as never)).toEqual({
    'inventory.quantity': change(null, 4),
  })
  expect(newStock({} as never)).toBeNull()
  expect(baseVersion({ name: quantity }, 5)).toBe(5)
  expect(baseVersion(null, 5)).toBe(5)
  expect(baseVersion({ 'inventory.quantity': quantity }, 5)).toBeNull()
})

/** Product 1 has the SKU "A" and the categories 5 and 6; product 2 has the SKU "B". */
function products() {
  const one = { id: 1, sku: 'A', version: 3, category_ids: [5, 6] }
  return { byId: new Map([[1, one]]), takenSkus: new Map([['B', 2]]) }
}

function open(patch: object, more: Partial<OpenLine> = {}) {
  return { ...line(null, more), line: 4, patch, provenance: null, ...more }
}

test('a line is pushed with the current SKU of its product, or with its own SKU if there is no product yet', () => {
  const found = products()
  const renamed = pushedLine(open({ name: 'New' }, { sku: 'old' }), found)
  expect(renamed).toEqual({ line: 4, sku: 'A', product: { sku: 'A', name: 'New' } })
  const created = open({ name: 'New' }, { outcome: 'created', sku: 'C', product_id: null })
  expect(pushedLine(created, found)).toMatchObject({ sku: 'C', product: { sku: 'C', name: 'New' } })
  expect(pushedLine(open({}, { product_id: 9 }), found)).toEqual({
    line: 4,
    sku: 'A',
    errors: [{ pointer: '', code: 'not_found', message: 'product 9 no longer exists' }],
  })
})

test('the first line with a new SKU gets it, unless another product has it', () => {
  const found = products()
  found.byId.set(3, { id: 3, sku: 'D', version: 1, category_ids: [] })
  expect(pushedLine(open({ sku: 'B' }), found)).toMatchObject({
    errors: [{ pointer: '/sku', code: 'duplicate_sku', message: expect.stringContaining('product 2') }],
  })
  expect(pushedLine(open({ sku: 'E' }), found)).toMatchObject({ sku: 'A', product: { sku: 'E' } })
  expect(pushedLine(open({ sku: 'E' }), found)).toMatchObject({ product: { sku: 'E' } })
  const other = open({ sku: 'E' }, { product_id: 3 })
  expect(pushedLine(other, found)).toMatchObject({ errors: [{ code: 'duplicate_sku' }] })
  const created = open({ sku: 'B' }, { outcome: 'created', sku: 'B', product_id: null })
  expect(pushedLine(created, found)).toMatchObject({ product: { sku: 'B' } })
})

test('added and removed categories apply to the current list, up to 100', () => {
  const categories = { add: [{ id: 6 }, { id: 7 }, { path: ['X'] }], remove: [5] }
  const list = [{ id: 6 }, { id: 7 }, { path: ['X'] }]
  expect(editedCategories([5, 6], categories)).toEqual(list)
  expect(pushedLine(open({}, { categories }), products())).toMatchObject({ product: { categories: list } })
  const add = Array.from({ length: 99 }, (_, index) => ({ id: 100 + index }))
  const full = open({}, { categories: { add, remove: [] } })
  expect(pushedLine(full, products())).toMatchObject({
    errors: [{ pointer: '/categories', code: 'too_many' }],
  })
  const fits = open({}, { categories: { add, remove: [5] } })
  expect('product' in pushedLine(fits, products())).toBe(true)
})

test('changes become a patch with references by ID, or by SKU or path if they had none', () => {
  const to = (field: string, after: unknown) => patchFromChanges('updated', { [field]: change(null, after) })
  expect(to('attributes.color', 'red')).toEqual({ attributes: { color: 'red' } })
  expect(to('price', null)).toEqual({ price: null })
  expect(to('categories', null)).toEqual({ categories: [] })
  const categories = [
    { id: 7, name: 'C' },
    { id: null, name: 'D', path: ['C', 'D'] },
  ]
  expect(to('categories', categories)).toEqual({ categories: [{ id: 7 }, { path: ['C', 'D'] }] })
  expect(to('parent', { id: 8, sku: 'P' })).toEqual({ parent: { id: 8 } })
  expect(to('parent', { id: null, sku: 'P' })).toEqual({ parent: { sku: 'P' } })
  expect(patchFromChanges('updated', null)).toEqual({})
})

test('a new product with stock is not tracked unless the line says so', () => {
  const stock = { 'inventory.quantity': change(null, 4) }
  expect(patchFromChanges('created', stock)).toEqual({ inventory: { tracked: false, quantity: 4 } })
  expect(patchFromChanges('updated', stock)).toEqual({ inventory: { quantity: 4 } })
  const tracked = { ...stock, 'inventory.tracked': change(null, true) }
  expect(patchFromChanges('created', tracked)).toEqual({ inventory: { tracked: true, quantity: 4 } })
  expect(patchFromChanges('created', {})).toEqual({})
})
