import { expect, test } from 'vitest'
import { csvHeader, csvRow } from './product-csv.ts'
import { rowJson } from './row-json.ts'

type Row = Parameters<typeof csvRow>[0]
type Media = Row['media']

const structure = { parent: null, variant_axes: [], components: [], links: {} }
const bare = {
  sku: 'A',
  name: 'A',
  categories: [],
  attributes: {},
  inventory: {},
  ...structure,
} as unknown as Row

function cellOf(media: Media): string {
  return csvRow({ ...bare, media }, [])[csvHeader([]).indexOf('media')] as string
}

function readCell(cell: string): unknown {
  return JSON.parse(rowJson(['sku', 'media'], ['A', cell])).media
}

const picture = (url: string): Media[number] => ({ url, kind: 'image', alt: null, title: null })

test('images without texts are URLs separated by bars', () => {
  const media = [picture('https://a.example/1.jpg'), picture('https://a.example/a|b\\c')]
  const cell = cellOf(media)
  expect(cell).toBe('https://a.example/1.jpg|https://a.example/a\\|b\\\\c')
  expect(readCell(cell)).toEqual(media.map((item) => ({ url: (item as { url: string }).url })))
  expect(cellOf([])).toBe('')
})

test.each([{ kind: 'video' }, { alt: '' }, { title: 'T|"' }] as Partial<Media[number]>[])(
  'with %j the cell is JSON that reads back unchanged',
  (more) => {
    const media = [picture('https://a.example/1.jpg'), { ...picture('https://a.example/2'), ...more }]
    expect(cellOf(media)).toMatch(/^\[/)
    expect(readCell(cellOf(media))).toEqual(media)
  },
)

test('spaces around URLs are ignored, and a cell with malformed JSON is rejected', () => {
  expect(readCell(' https://a.example/1 | https://a.example/2 ')).toEqual([
    { url: 'https://a.example/1' },
    { url: 'https://a.example/2' },
  ])
  expect(readCell('[https://a.example/1]')).toBe('[https://a.example/1]')
})
