import { expect, test } from 'vitest'
import { similarNames } from '../../console/parts/format/similar-names.ts'

test('names are similar if they differ only in case, punctuation, plural or spelling', () => {
  const names = ['color', 'Colour', 'colors', 'shade_color', 'Pack Size', 'pack_size', 'packsize']
  expect(similarNames('COLOR ', names)).toEqual(['color', 'Colour', 'colors'])
  expect(similarNames('pack_size', names)).toEqual(['Pack Size', 'packsize'])
  expect(similarNames('shade_color', names)).toEqual([])
  expect(similarNames('größe', ['GRÖSSE', 'Größe'])).toEqual(['Größe'])
})
