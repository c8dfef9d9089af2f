import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { expect, test } from 'vitest'
import { readSource } from '../../../test/read-source.ts'
import { withoutSpacesAroundQuotes } from '../../model/files/spaces-around-quotes.ts'
import { detectDelimiter } from '../../model/files/text-format.ts'
import type { SourceOptions } from './source.ts'

/** Everything that an import makes of a file, as text. */
async function outcomeOf(rows: string[][], options: Partial<SourceOptions>): Promise<string> {
  const { cells: _cells, ...outcome } = await readSource(stringify(rows), options)
  return JSON.stringify(outcome)
}

const otherTexts = (cell: string) => ['', `${cell}7`, 'yes', '1', 'false', 'continue', 'draft']

/** Filled cells that make no difference at all, neither empty nor with another text. */
async function unaccounted(rows: string[][], options: Partial<SourceOptions>): Promise<string[]> {
  const [header = []] = rows
  const before = await outcomeOf(rows, options)
  const found: string[] = []
  for (const [at, row] of rows.entries())
    for (const [column, cell] of row.entries()) {
      if (at === 0 || cell.trim() === '') continue
      let isAlike = true
      for (const text of otherTexts(cell))
        if (isAlike) isAlike = (await outcomeOf(rows.with(at, row.with(column, text)), options)) === before
      if (isAlike) found.push(`${header[column]} "${cell}"`)
    }
  return found
}

const oneByOne = (rows: string[][]) => rows.map((row) => [row])
/** The rows of one product, which begins with a row that has this cell. */
const byFirst = (isFirst: (row: string[], before: string[] | undefined) => boolean) => (rows: string[][]) =>
  rows.reduce<string[][][]>((groups, row, at) => {
    if (isFirst(row, rows[at - 1])) groups.push([row])
    else groups.at(-1)?.push(row)
    return groups
  }, [])
const byHandle = byFirst(([handle], before) => handle !== before?.[0])
const byName = byFirst(([name = '']) => name.trim() !== '')

test.each([
  ['woocommerce.csv', { from: 'woocommerce' }, oneByOne],
  ['shopify.csv', { from: 'shopify' }, byHandle],
  ['vendure.csv', { from: 'vendure', mediaBase: 'https://shop.example' }, byName],
  ['magento.csv', { map: 'magento', mediaBase: 'https://shop.example' }, oneByOne],
  ['akeneo-products.csv', { map: 'akeneo', mediaBase: 'https://pim.example' }, oneByOne],
  ['akeneo-product-models.csv', { map: 'akeneo' }, oneByOne],
] as const)(
  'every cell of %s is taken or counted as dropped',
  { tags: 'slow' },
  async (name, options, productsOf) => {
    const text = readFileSync(`docs/samples/${name}`, 'utf8')
    const [header = [], ...rows]: string[][] = parse(withoutSpacesAroundQuotes(',')(text), {
      delimiter: detectDelimiter(text),
    })
    const found = await Promise.all(productsOf(rows).map((some) => unaccounted([header, ...some], options)))
    // The position of an only picture changes nothing.
    expect(found.flat()).toEqual(name === 'shopify.csv' ? ['Image Position "1"'] : [])
  },
)
