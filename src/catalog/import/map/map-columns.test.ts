import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSource } from '../../../../test/read-source.ts'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'

/** Reads rows by a map of the columns other than `sku`, which is the SKU. */
function readBy(map: { columns: object }, rows: string[], options: object = {}, project: object = {}) {
  const file = join(temporaryFolder(), 'map.json')
  writeFileSync(file, JSON.stringify({ ...map, columns: { sku: 'sku', ...map.columns } }))
  return readSource(rows.join('\n'), { map: file, ...options }, project)
}

const localized = { columns: { 'name-*': 'name', 'text-*': 'description' } }
const localizedRows = [
  'sku;name-de_DE;name-en_US;text-de_DE-print;text-en_US-print',
  'A;Lampe;Lamp;;A lamp',
  'B;;Bulb;Birne;',
]

test('a star uses the first nonempty column of each row', async () => {
  const { lines, dropped } = await readBy(localized, localizedRows)
  expect(lines).toMatchObject([
    { name: 'Lampe', description: 'A lamp' },
    { name: 'Bulb', description: 'Birne' },
  ])
  expect(dropped).toEqual([{ column: 'name-en_US', reason: 'another column provides name', cells: 1 }])
})

test('a star prefers the given locale, and --rest attributes imports the others', async () => {
  const { lines, cells } = await readBy(localized, localizedRows, { locale: 'en_US', rest: 'attributes' })
  expect(lines).toMatchObject([{ name: 'Lamp', attributes: { 'name-de_DE': 'Lampe' } }, { name: 'Bulb' }])
  expect(cells).toEqual({ filled: 7, taken: 7, dropped: 0 })
})

test("a star uses only prices in the project's currency", async () => {
  const rows = ['sku;price-USD;price-EUR', 'A;12;10', 'B;12;']
  const map = { columns: { 'price-*': 'price' }, rest: 'attributes' }
  const { lines } = await readBy(map, rows)
  expect(lines).toMatchObject([
    { price: 10, attributes: { 'price-USD': 12 } },
    { attributes: { 'price-USD': 12 } },
  ])
  expect(lines[1].price).toBeUndefined()
})

const codes = ['sku,ean,part,Type code', 'A,4006381333931,007,12', 'B,40063813,12,12']

test('long codes, codes with leading zeros and columns with code names stay text', async () => {
  const { lines } = await readBy({ columns: {}, ...{ rest: 'attributes' } }, codes)
  expect(lines.map(({ attributes }) => attributes)).toEqual([
    { ean: '4006381333931', part: '007', 'Type code': '12' },
    { ean: '40063813', part: 12, 'Type code': '12' },
  ])
  const { lines: pairs } = await readBy({ columns: { a: { field: 'attributes', form: 'pairs' } } }, [
    'sku,a',
    'A,"plain=4006381333931,count=5"',
  ])
  expect(pairs[0].attributes).toEqual({ plain: '4006381333931', count: 5 })
})

test('the map sets attribute types, or else the definitions of the project do', async () => {
  const columns = {
    ean: { field: 'attributes.ean', type: 'number' },
    part: { field: 'attributes.part', type: 'text' },
    'Type code': { field: 'attributes.new', type: 'boolean', values: { '12': 'true' } },
  }
  const { lines } = await readBy({ columns }, codes)
  expect(lines.map(({ attributes }) => attributes)).toEqual([
    { ean: 4006381333931, part: '007', new: true },
    { ean: 40063813, part: '12', new: true },
  ])
  const definitions = [{ name: 'part', type: 'text' }]
  const { lines: defined } = await readBy(
    { columns: {}, ...{ rest: 'attributes' } },
    codes,
    {},
    { definitions },
  )
  expect(defined[1].attributes).toMatchObject({ part: '12' })
})

test('a cell that does not fit its type stays text, and is counted', async () => {
  const { lines, changed } = await readBy({ columns: { n: { field: 'attributes.n', type: 'number' } } }, [
    'sku,n',
    'A,x',
  ])
  expect(lines[0].attributes).toEqual({ n: 'x' })
  expect(changed).toEqual([{ column: 'n', reason: 'not a number; stored as text', cells: 1 }])
})

test('values apply to each part of a cell, also for categories', async () => {
  const columns = {
    colors: { field: 'attributes.colors', split: '/', values: { r: 'Red', b: 'Blue' } },
    groups: { field: 'categories', split: '/', path: '>', values: { l: 'Home > Lamps' } },
  }
  const { lines } = await readBy({ columns }, ['sku,colors,groups', 'A,r/b/g,l/Sale'])
  expect(lines[0]).toMatchObject({
    attributes: { colors: ['Red', 'Blue', 'g'] },
    categories: [{ path: ['Home', 'Lamps'] }, { path: ['Sale'] }],
  })
})

test('fill_down repeats the value above in empty cells', async () => {
  const map = { columns: { title: 'name', brand: 'attributes.brand' }, fill_down: ['title'] }
  const { lines } = await readBy(map, ['title,sku,brand', 'Tee,A,x', ',B,', 'Lamp,C,'])
  expect(lines.map(({ name, attributes }) => [name, attributes.brand])).toEqual([
    ['Tee', 'x'],
    ['Tee', undefined],
    ['Lamp', undefined],
  ])
})

test('the unit of a value comes from its own column', async () => {
  const columns = { w: { field: 'attributes.weight', unit_from: 'u', usual_unit: 'KG', type: 'number' } }
  const { lines, dropped } = await readBy({ columns }, ['sku,w,u', 'A,1.5,KG', 'B,180,GRAM', 'C,,KG'])
  expect(lines.map(({ attributes }) => attributes)).toEqual([{ weight: 1.5 }, { weight_gram: 180 }, {}])
  expect(dropped).toEqual([{ column: 'u', reason: 'unit without a value', cells: 1 }])
})

test('columns that the map drops or ignores are counted', async () => {
  const map = { columns: { a: null }, ignore: ['b*'] }
  const { dropped, cells } = await readBy(map, ['sku,a,b1', 'A,x,y'])
  expect(dropped).toEqual([
    { column: 'a', reason: 'set to null in the map', cells: 1 },
    { column: 'b1', reason: 'ignored by the map', cells: 1 },
  ])
  expect(cells).toEqual({ filled: 3, taken: 1, dropped: 2 })
})

test('the Magento map knows all standard columns, and --unit sets a unit', async () => {
  const rows = [
    'sku,weight,configurable_variation_prices,save_rewrites_history',
    'A,1.5,"name=Size,price=2",1',
  ]
  const { lines, dropped } = await readSource(rows.join('\n'), { map: 'magento', unit: ['weight=kg'] })
  expect(lines[0].attributes).toEqual({ weight_kg: 1.5, variation_prices: 'name=Size,price=2' })
  expect(dropped).toMatchObject([{ column: 'save_rewrites_history' }])
})
