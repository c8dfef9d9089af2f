import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { countLosses } from '../losses.ts'
import { bundleOf, pairsOf } from './map-forms.ts'
import { readMap } from './read-map.ts'

test('pairs in quotes keep commas, equals signs and quotes', () => {
  const cell = 'care="Wash, at=30",material="Linen"|"Cotton",note="a ""b""",plain=x, y,Größe=5",fit=A|B'
  expect(pairsOf(cell)).toEqual({
    care: 'Wash, at=30',
    material: ['Linen', 'Cotton'],
    note: 'a "b"',
    plain: 'x, y',
    Größe: '5"',
    fit: ['A', 'B'],
  })
})

test('what a bundle says of its choices and is not kept is told', () => {
  const losses = countLosses()
  bundleOf('name=Lens,required=0,sku=L,price=2.0000|name=Lens,required=0,sku=M,price=0.0000', losses)
  bundleOf('name=Lens,required=1,sku=L,price=0.0000', losses)
  expect(losses.counts()).toEqual({
    'prices of choices in bundles': 1,
    'choices in bundles that may be left out': 1,
  })
})

test.each([
  ['null', 'is no object'],
  ['\ufeff{"columns": {"A": {"split": ","}}}', /A\/field is required; columns none of them is the sku$/],
])('a map that is %s is refused for what it is', (text, message) => {
  const file = join(temporaryFolder(), 'map.json')
  writeFileSync(file, text)
  expect(() => readMap(file)).toThrow(message)
  expect(() => readMap(temporaryFolder())).toThrow('is a folder')
})
