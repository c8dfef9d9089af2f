import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { csvLines } from './import-csv.ts'
import { countLosses, type Losses } from './losses.ts'
import type { RowReader } from './row-lines.ts'
import { sourceOf } from './source.ts'
import { woocommerce } from './sources/woocommerce.ts'

type ReaderOf = (header: string[], losses: Losses) => RowReader

/** The lines of a push that are made of a file, and what is lost of it. */
async function read(text: string, readerOf: ReaderOf) {
  const losses = countLosses()
  const reading = {
    encoding: undefined,
    readerOf: (header: string[]) => readerOf(header, losses),
    rejectedRows: new Set<number>(),
    onEncoding: () => {},
  }
  const lines = []
  for await (const { line } of csvLines(Readable.from([Buffer.from(text)]), reading, () => {}))
    lines.push(JSON.parse(line.bytes?.toString() ?? ''))
  return { lines, lost: losses.counts() }
}

const fromWoocommerce: ReaderOf = (header, losses) => woocommerce(header, losses, false)

test('a decimal comma after a zero is one, and what may be thousands is told', async () => {
  const rows = ['Type;SKU;Name;Weight (kg)', 'simple;A;A;0,250', 'simple;B;B;1,250', 'simple;C;C;1,5']
  const { lines, lost } = await read(rows.join('\n'), fromWoocommerce)
  expect(lines.map(({ attributes }) => attributes.weight_kg)).toEqual([0.25, '1,250', 1.5])
  expect(lost).toEqual({ 'Weight (kg) that is not clearly a number': 1 })
})

test('axes are told in the order of their numbers, wherever their columns stand', async () => {
  const header =
    'Attribute 2 name,Attribute 2 value(s),Attribute 1 name,Attribute 1 value(s),Type,SKU,Name,Parent'
  const { lines } = await read(`${header}\nSize,S,Color,Red,variation,A,A,P\n`, fromWoocommerce)
  expect(lines[0]).toEqual({ sku: 'P', variant_axes: ['Color', 'Size'] })
})

test('rows of delimiters alone are no rows', async () => {
  const { lines } = await read('Type,SKU,Name\n\n,,\nsimple,A,A\n , ,\n', fromWoocommerce)
  expect(lines).toMatchObject([{ sku: 'A' }])
})

test('of a quote that is not closed it is told where it is opened', async () => {
  const rows = ['Type,SKU,Name', 'simple,A,A', 'simple,B,"B', ...Array<string>(99).fill('simple,C,C')]
  await expect(read(rows.join('\n'), fromWoocommerce)).rejects.toThrow('the row after line 2 does not end')
})

test('columns that stand twice are refused, all at once', async () => {
  const readerOf = sourceOf('products.csv', { from: 'woocommerce', mode: 'upsert' })
  await expect(read('Type,SKU,Name,SKU,Stock,Stock\n', readerOf)).rejects.toThrow('twice: "SKU", "Stock"')
})

test('variations without a parent and attributes that share a name are told', async () => {
  const header =
    'Type,SKU,Name,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)'
  const { lost } = await read(`${header}\nvariation,A,A,,Size,S,Size,M\n`, fromWoocommerce)
  expect(lost).toEqual({ 'variations that name no parent': 1, 'attributes that share a name': 1 })
})

test('a row that is refused in several ways is written once', async () => {
  const rejectedRows = new Set<number>()
  const readerOf = (header: string[]) => fromWoocommerce(header, countLosses())
  const text = 'Type,SKU,Name,Parent,Upsells\nvariation,A,A,P,A\n'
  let written = ''
  for (const _step of ['axes', 'variants'])
    for await (const line of csvLines(
      Readable.from([Buffer.from(text)]),
      { encoding: undefined, readerOf, rejectedRows, onEncoding: () => {} },
      () => {},
    ))
      written += line.rejected('wrong')
  expect(written).toBe('variation,A,A,P,A,wrong\n')
})
