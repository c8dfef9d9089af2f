import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../console/plain-search.ts'
import { readColumns, writeColumns } from '../console/products/columns/column-names.ts'
import { type EditDraft, editOf, newDraft } from '../console/products/edit/edit-draft.ts'
import { changedSearch, pageQuery, readSearch, viewOf } from '../console/products/view.ts'

const read = (text: string) => readSearch(parseSearch(text))

test('a URL is read literally, and a written URL reads the same', () => {
  const texts = {
    search: '1.0',
    status: 'true',
    sku: '007',
    id__in: '1,2',
    'attributes[Shoe Size]__gte': '12345678901234567890',
    name__icontains: '"a"&b=100% ü 🏮',
    __proto__x: '{}',
  }
  expect(read(stringifySearch(texts))).toEqual(texts)
  expect(stringifySearch({ 'attributes[Shoe Size]': '1,5', search: 'red shoe', page: 3 })).toBe(
    '?attributes[Shoe+Size]=1,5&search=red+shoe&page=3',
  )
  expect(parseSearch('?page=3&page=4&duplicate=7')).toEqual({ page: [3, 4], duplicate: 7 })
})

test('a changed view starts at the first page; other columns or another page change no rows', () => {
  const search = read('?status=active&page=3&page_size=100')
  expect(changedSearch(search, { search: 'lamp' })).toEqual({
    status: 'active',
    page_size: '100',
    search: 'lamp',
  })
  expect(changedSearch(search, { columns: 'sku' })).toMatchObject({ page: '3', columns: 'sku' })
  expect(changedSearch(search, { page: '1', page_size: '50' })).toEqual({ status: 'active' })
  expect(pageQuery(viewOf(search))).toBe('status=active&ordering=-id&page=3&page_size=100&expand=detail')
})

test('columns keep attribute names with any characters', () => {
  const columns = ['sku', 'attributes.a,b', 'attributes.100%', 'attributes.%2C']
  expect(readColumns(writeColumns(columns))).toEqual(columns)
})

test('a percent change of a price is exact, and text that is not a number is left for the service to reject', () => {
  const price = (some: Partial<EditDraft>) => editOf({ ...newDraft('price'), ...some }).value
  expect(price({ op: 'raise_percent', value: '10' })).toBe(1.1)
  expect(price({ op: 'raise_percent', value: '19,9' })).toBe(1.199)
  expect(price({ op: 'lower_percent', value: '7.07' })).toBe(0.9293)
  expect(price({ op: 'lower', value: '2.5' })).toBe(-2.5)
  expect(price({ op: 'set', value: 'cheap' })).toBeNull()
})
