import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readSource } from '../../../test/read-source.ts'
import { csvLines } from './rows/import-csv.ts'
import { countNothing } from './rows/tally.ts'
import { sourceOf } from './source.ts'

const fromWoocommerce = { from: 'woocommerce' } as const

test('a comma after a zero is a decimal comma, and ambiguous thousands are reported', async () => {
  const rows = ['Type;SKU;Name;Weight (kg)', 'simple;A;A;0,250', 'simple;B;B;1,250', 'simple;C;C;1,5']
  const { lines, changed } = await readSource(rows.join('\n'), fromWoocommerce)
  expect(lines.map(({ attributes }) => attributes.weight_kg)).toEqual([0.25, '1,250', 1.5])
  expect(changed).toEqual([{ column: 'Weight (kg)', reason: 'not clearly a number: stays text', cells: 1 }])
})

test('axes are in the order of their numbers, wherever their columns are', async () => {
  const header =
    'Attribute 2 name,Attribute 2 value(s),Attribute 1 name,Attribute 1 value(s),Type,SKU,Name,Parent'
  const { lines } = await readSource(`${header}\nSize,S,Color,Red,variation,A,A,P\n`, fromWoocommerce)
  expect(lines[0]).toEqual({ sku: 'P', variant_axes: ['Color', 'Size'] })
})

test('rows with only delimiters are ignored', async () => {
  const { lines } = await readSource('Type,SKU,Name\n\n,,\nsimple,A,A\n , ,\n', fromWoocommerce)
  expect(lines).toMatchObject([{ sku: 'A' }])
})

test('the error for an unclosed quote names the line where it opens', async () => {
  const rows = ['Type,SKU,Name', 'simple,A,A', 'simple,B,"B', ...Array<string>(99).fill('simple,C,C')]
  await expect(readSource(rows.join('\n'), fromWoocommerce)).rejects.toThrow(
    'the row after line 2 does not end',
  )
})

test('all duplicate columns are rejected in one error', async () => {
  await expect(readSource('Type,SKU,Name,SKU,Stock,Stock\n', fromWoocommerce)).rejects.toThrow(
    'twice: "SKU", "Stock"',
  )
})

test('variations without a parent and repeated attribute names are reported', async () => {
  const header =
    'Type,SKU,Name,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)'
  const { dropped, changed } = await readSource(`${header}\nvariation,A,A,,Size,S,Size,M\n`, fromWoocommerce)
  expect(changed).toMatchObject([{ column: 'Type', cells: 1 }])
  expect(dropped).toMatchObject([
    { column: 'Attribute 2 name', reason: 'another attribute has the same name' },
    { column: 'Attribute 2 value(s)' },
  ])
})

test('if Vendure variants share a SKU, the first keeps it and the others get a generated one', async () => {
  const rows = [
    'name,slug,optionGroups,optionValues,sku,price',
    'Tee,tee,size,S,T1,9',
    ',,,M,T1,9',
    'Lamp,T1,,,T1,5',
  ]
  const { lines, changed } = await readSource(rows.join('\n'), { from: 'vendure' })
  expect(lines.map(({ sku }) => sku)).toEqual(['tee', 'T1', 'tee-M', 'T1-2'])
  expect(changed).toEqual([{ column: 'sku', reason: 'used by another row; a SKU is generated', cells: 2 }])
})

test('a row with several errors is written once', async () => {
  const rejectedRows = new Set<number>()
  const facts = { currency: 'EUR', definitions: [], views: undefined }
  const source = sourceOf('products.csv', { ...fromWoocommerce, mode: 'upsert' }, facts)
  const readerOf = (header: string[]) => source(header, countNothing)
  const text = 'Type,SKU,Name,Parent,Upsells\nvariation,A,A,P,A\n'
  let written = ''
  for (const _step of ['axes', 'variants'])
    for await (const line of csvLines(
      Readable.from([Buffer.from(text)]),
      { encoding: undefined, readerOf, tally: countNothing, rejectedRows, onEncoding: () => {} },
      () => {},
    ))
      written += line.rejected('wrong')
  expect(written).toBe('variation,A,A,P,A,wrong\n')
})
