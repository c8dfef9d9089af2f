import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { countCells } from '../rows/tally.ts'
import { bundleOf, pairsOf } from './map-forms.ts'
import { readMap } from './read-map.ts'

function formCell(cell: string) {
  const tally = countCells()
  tally.beginRow()
  return { cell, column: 'Cell', tally, typeOf: () => undefined }
}

test('pairs in quotes keep commas, equals signs and quotes', () => {
  const cell = formCell(
    'care="Wash, at=30",material="Linen"|"Cotton",note="a ""b""",plain=x, y,Größe=5",fit=A|B',
  )
  expect(pairsOf(cell)).toEqual({
    care: 'Wash, at=30',
    material: ['Linen', 'Cotton'],
    note: 'a "b"',
    plain: 'x, y',
    Größe: '5"',
    fit: ['A', 'B'],
  })
  expect(cell.tally.counts().dropped).toEqual([])
})

test.each(['Red', 'Red,size=S', 'two words=5', 'size=S,size=M'])(
  'pairs that are not taken are counted: %s',
  (text) => {
    const cell = formCell(text)
    pairsOf(cell)
    expect(cell.tally.counts().dropped).toMatchObject([{ column: 'Cell', cells: 1 }])
  },
)

test('dropped details of bundle choices are counted', () => {
  const cell = formCell('name=Lens,required=0,sku=L,price=2.0000|name=Lens,required=0,sku=M,price=0.0000')
  expect(bundleOf(cell)).toMatchObject([{ sku: 'L', choice: 'Lens' }, { sku: 'M' }])
  expect(cell.tally.counts().dropped).toMatchObject([{ column: 'Cell', cells: 1 }])
})

test.each([
  ['null', 'must be an object'],
  [
    '\ufeff{"columns": {"A": {"split": ","}}}',
    /A\/field is required; columns must assign one column to sku$/,
  ],
])('a map that is %s is refused for what it is', (text, message) => {
  const file = join(temporaryFolder(), 'map.json')
  writeFileSync(file, text)
  expect(() => readMap(file)).toThrow(message)
  expect(() => readMap(temporaryFolder())).toThrow('is a folder')
})
