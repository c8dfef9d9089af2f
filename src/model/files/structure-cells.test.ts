import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../test/seeded-random.ts'
import { csvHeader, csvRow } from './product-csv.ts'
import { readProductHeader } from './read-csv-row.ts'
import { rowJson } from './row-json.ts'
import { writeCsv } from './write-csv.ts'

type Row = Parameters<typeof csvRow>[0]
type Structure = Pick<Row, 'parent' | 'variant_axes' | 'components' | 'links'>

const nothing: Structure = { parent: null, variant_axes: [], components: [], links: {} }
const bare = { sku: 'A', name: 'A', categories: [], media: [], attributes: {}, inventory: {} }
const header = csvHeader([])

function rowOf(structure: Structure): string[] {
  return csvRow({ ...bare, ...structure } as unknown as Row, [])
}

function cellsOf(structure: Partial<Structure>): Record<string, string> {
  const row = rowOf({ ...nothing, ...structure })
  return Object.fromEntries(header.map((name, index) => [name, row[index] as string]))
}

/** Through the text of a file. */
function readBack(structure: Structure): unknown {
  const text = writeCsv([header, rowOf(structure)])
  const [columns = [], row = []] = parse(text) as string[][]
  const { parent = null, variant_axes = [], components = [], links = {} } = JSON.parse(rowJson(columns, row))
  return { parent, variant_axes, components, links }
}

function readCell(column: string, cell: string): unknown {
  return JSON.parse(rowJson(readProductHeader(['sku', column]), ['A', cell]))
}

test('structure cells are short enough to write by hand', () => {
  const cells = cellsOf({
    parent: { sku: 'P|1' },
    variant_axes: ['color', 'a|b'],
    components: [
      { sku: 'CAM', quantity: 1 },
      { sku: 'L*50', quantity: 2, choice: 'Lens: !', default: true },
    ],
    links: { related: [{ sku: '=A' }, { sku: 'B\\' }], cross_sell: [{ sku: 'C' }] },
  })
  expect(cells).toMatchObject({
    parent: 'P|1',
    variant_axes: 'color|a\\|b',
    components: 'CAM*1|Lens\\: \\!:L\\*50*2!',
    'links.related': "'=A|B\\\\",
    'links.upsell': '',
    'links.cross_sell': 'C',
  })
  expect(readCell('components', 'CAM|Lens:L50! ')).toMatchObject({
    components: [{ sku: 'CAM' }, { sku: 'L50', choice: 'Lens', default: true }],
  })
})

test.each(['A*1*2', 'A:B:C*1', 'A!*1', 'A*1!!'])(
  'the malformed component %s stays text, which a write rejects',
  (cell) => {
    expect(readCell('components', `CAM*1|${cell}`)).toMatchObject({
      components: [{ sku: 'CAM', quantity: 1 }, cell],
    })
  },
)

test('a file without structure columns does not change the structure, and an unknown kind of link is rejected', () => {
  expect(readCell('name', 'A')).toEqual({ sku: 'A', name: 'A' })
  expect(() => readCell('links.accessory', 'B')).toThrow('links.accessory')
})

test('any structure reads back unchanged', () => {
  const random = seededRandom(17)
  const pieces = [...`|*:!\\,"'=+-@ \t0null[]{};#/`, 'A', 'ñ', '👩‍🚀', '＝', 'long name']
  const text = () => Array.from({ length: random.between(1, 5) }, () => random.pick(pieces)).join('')
  const several = <Value>(make: () => Value) => Array.from({ length: random.between(0, 3) }, make)
  const reference = () => ({ sku: text() })
  const component = () => {
    const counted = { sku: text(), quantity: random.between(1, 1_000_000) }
    if (random.chance(0.5)) return counted
    return { ...counted, choice: text(), ...(random.chance(0.5) && { default: true }) }
  }
  for (let made = 0; made < 200; made += 1) {
    const kinds = (['related', 'upsell', 'cross_sell'] as const).map((kind) => [kind, several(reference)])
    const structure = {
      parent: random.chance(0.5) ? reference() : null,
      variant_axes: several(text),
      components: several(component),
      links: Object.fromEntries(kinds.filter(([, list]) => list?.length)),
    }
    expect(readBack(structure)).toEqual(structure)
  }
})
