import fc from 'fast-check'
import { expect, test } from 'vitest'
import { viewHeader, viewRow } from './product-csv.ts'
import { rowJson } from './row-json.ts'
import { columnOf, fieldOfColumn, readColumn } from './view-columns.ts'

const views = ['de', 'at']
const name = fc
  .string({ unit: fc.constantFrom('a', '@', '\\', 'de', 'x') })
  .map((text) => `attributes.${text}`)

test('every attribute has one column in the base and one in each view, also if its name contains at signs and backslashes', () => {
  fc.assert(
    fc.property(name, fc.constantFrom(undefined, ...views), (text, view) => {
      const column = view === undefined ? { name: text } : { name: text, view }
      expect(readColumn(columnOf(column, views), views)).toEqual(column)
    }),
    { numRuns: 1_000 },
  )
})

test('an at sign separates a view only if the project has that view', () => {
  expect(readColumn('name@de', views)).toEqual({ name: 'name', view: 'de' })
  expect(readColumn('attributes.contact@fr', views)).toEqual({ name: 'attributes.contact@fr' })
  expect(readColumn('attributes.contact\\@de', views)).toEqual({ name: 'attributes.contact@de' })
  expect(readColumn('attributes.contact\\@fr', views)).toEqual({ name: 'attributes.contact\\@fr' })
})

test('cells of a view read back unchanged: null falls back, and a text that says null stays a text', () => {
  const texts = ['null', '"null"', '""NULL"', 'a', '=1', '"quoted"']
  for (const text of texts) {
    const values = { name: text, description: text, price: 5, attributes: { color: text, size: 4 } }
    const header = viewHeader(['color']).map((column) => fieldOfColumn({ name: column, view: 'de' }))
    expect(JSON.parse(rowJson(header, viewRow(values, ['color'])))).toEqual({ views: { de: values } })
  }
  expect(
    JSON.parse(rowJson(['views.de.name', 'views.de.price', 'views.de.media'], ['null', 'NULL', ''])),
  ).toEqual({
    views: { de: { name: null, price: null } },
  })
})
