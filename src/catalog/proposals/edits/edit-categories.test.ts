import { expect, test } from 'vitest'
import { defaultContent } from '../../../model/product/product-content.ts'
import type { Edit } from './edit.schema.ts'
import { editProduct } from './edit-product.ts'

const content = { ...defaultContent, sku: 'A', name: 'A', categories: [{ id: 5, name: 'Shirts' }] }
const edit = (...edits: Edit[]) => editProduct(edits, { content, levels: { quantity: 0, reserved: 0 } })
const set = (...value: unknown[]): Edit => ({ field: 'categories', op: 'set', value })
const add = (...value: unknown[]): Edit => ({ field: 'categories', op: 'add_categories', value })
const remove = (...value: unknown[]): Edit => ({ field: 'categories', op: 'remove_categories', value })
const clear: Edit = { field: 'categories', op: 'clear' }

test('added and removed categories are separate from the patch, in order and without duplicates', () => {
  expect(edit(add(7, { name: 'Sale' }), remove({ path: ['A', 'B'] }), add({ id: 7 }, 8))).toEqual({
    patch: {},
    addCategories: [{ id: 7 }, { name: 'Sale' }, 8],
    removeCategories: [{ path: ['A', 'B'] }],
  })
})

test('if a category is added and removed, the later edit applies', () => {
  expect(edit(add(7, 8), remove({ id: 7 }))).toEqual({
    patch: {},
    addCategories: [8],
    removeCategories: [{ id: 7 }],
  })
  expect(edit(remove({ name: 'Sale' }), add({ name: ' Sale ' }))).toEqual({
    patch: {},
    addCategories: [{ name: 'Sale' }],
    removeCategories: [],
  })
})

test('names are trimmed and normalized, as in a product', () => {
  const { addCategories } = edit(add({ path: [' A', 'Cafe\u0301 '], name: 'Cafe\u0301' }))
  expect(addCategories).toEqual([{ path: ['A', 'Caf\u00e9'], name: 'Caf\u00e9' }])
})

test('a name and a path with this one name are two references', () => {
  const { addCategories, removeCategories } = edit(add({ name: 'Sale' }), remove({ path: ['Sale'] }))
  expect([addCategories, removeCategories]).toEqual([[{ name: 'Sale' }], [{ path: ['Sale'] }]])
})

test('setting or clearing categories replaces the list and discards earlier additions and removals', () => {
  const none = { addCategories: [], removeCategories: [] }
  expect(edit(add(7), remove(5), set(1, 2))).toEqual({ patch: { categories: [1, 2] }, ...none })
  expect(edit(add(7), clear)).toEqual({ patch: { categories: [] }, ...none })
})

test('categories that are added to a replaced list are part of it', () => {
  const none = { addCategories: [], removeCategories: [] }
  expect(edit(set(1, 2), add({ name: 'Sale' }, { id: 2 }))).toEqual({
    patch: { categories: [1, { id: 2 }, { name: 'Sale' }] },
    ...none,
  })
  expect(edit(clear, add(3))).toEqual({ patch: { categories: [3] }, ...none })
})

test('categories that are removed from a replaced list stay removed, even if the list has them in another form', () => {
  expect(edit(set(1, 2), remove(2, { name: 'Sale' }))).toEqual({
    patch: { categories: [1] },
    addCategories: [],
    removeCategories: [2, { name: 'Sale' }],
  })
  expect(edit(set(1), remove(1), add(1))).toEqual({
    patch: { categories: [1] },
    addCategories: [],
    removeCategories: [],
  })
})
