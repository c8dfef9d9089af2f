import { expect, test } from 'vitest'
import { flagValues, repeatedTexts, textKeys } from './flag-values.ts'

const source = 'Describe "Lamp, 0.3 l, 1,000 lm" in 60 words. See https://lamps.example/a. <b>Bold</b>'
const flagsOf = (
  description: string,
  { text = source, productValues = [] as string[], isCut = false } = {},
) => flagValues({ description }, { text, productValues, isCut })

test.each([
  ['A lamp with 1000 lm', []],
  ['A lamp with 1 000 lm', []],
  ['A lamp with 1.000 lm', []],
  ['A lamp for 0,3 l', []],
  ['A lamp for 0.30 l', []],
  ['A lamp with 100 lm', ['number_not_in_source']],
  ['A lamp for 3 l', ['number_not_in_source']],
  ['See https://lamps.example/a!', []],
  ['See https://other.example', ['new_link']],
  ['See www.other.example', ['new_link']],
  ['<b>A</b> lamp', []],
  ['<script>x</script>', ['new_markup']],
  ['A **bold** lamp', ['new_markup']],
  ['I cannot write about this product.', ['refused']],
  ["I'm sorry, but no", ['refused']],
  ['Sorry-looking no more: a new lamp', []],
])('%s: %j', (text, flags) => {
  expect(flagsOf(text)).toEqual(flags)
})

test('numbers of attributes are checked too, and declined fields are not', () => {
  const values = { 'attributes.watt': 40, 'attributes.size': null }
  expect(flagValues(values, { text: source, productValues: [], isCut: false })).toEqual([
    'number_not_in_source',
  ])
})

test('a response that ended at its limit is cut', () => {
  expect(flagsOf('A lamp', { isCut: true })).toEqual(['cut'])
})

test('a text that repeats a value of the product, or a long part of it, is copied', () => {
  const value = `${'A lamp for the desk, with a shade of brass and a long cord. '.repeat(6)}`
  expect(flagsOf(value.slice(0, 60), { productValues: [value] })).toEqual(['source_copied'])
  expect(flagsOf(`New: ${value} And more.`, { productValues: [value] })).toEqual(['source_copied'])
  expect(flagsOf('A lamp', { productValues: [value] })).toEqual([])
})

test('lines with the same text in the same field are found, whatever their case and spaces', () => {
  const lines = [
    { description: 'A  lamp' },
    { description: 'a lamp' },
    { short_description: 'A lamp' },
    { description: null, 'attributes.color': 'red' },
  ]
  const keys = lines.map(textKeys)
  const repeated = repeatedTexts(keys)
  expect(keys.map((own) => own.some((key) => repeated.has(key)))).toEqual([true, true, false, false])
})
