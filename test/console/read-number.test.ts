import { describe, expect, test } from 'vitest'
import { fieldText, marksOf, readNumber } from '../../console/parts/numbers/read-number.ts'

const locales = ['en', 'de', 'fr', 'de-CH', 'en-IN', 'ar-EG'].map(
  (locale) => [locale, marksOf(locale)] as const,
)
const english = marksOf('en')
const german = marksOf('de')

describe.each(locales)('a number typed in %s', (_locale, marks) => {
  test.each([
    ['12', 12],
    ['12.5', 12.5],
    ['12,5', 12.5],
    ['1,234.50', 1234.5],
    ['1.234,50', 1234.5],
    ['1 234,50', 1234.5],
    ['1\u202f234,50', 1234.5],
    ['1’234.50', 1234.5],
    ['1.234.567', 1_234_567],
    ['12,34,567', 1_234_567],
    ['1234.567', 1234.567],
    ['0,125', 0.125],
    ['.5', 0.5],
    ['−3', -3],
    ['1e-7', 1e-7],
  ])('%s is %d', (text, number) => {
    expect(readNumber(text, marks)).toEqual({ number })
  })

  test.each(['', 'tall', '1.2.3', '1,2.3,4', '1,234,56', '1..2', '12 5', '1,0000.5', 'Infinity'])(
    '%s is rejected',
    (text) => {
      expect(readNumber(text, marks)).toEqual({ error: 'Enter a number.' })
    },
  )

  test.each(['1.234', '1,234', '-12.500', '999,999'])('%s is ambiguous', (text) => {
    expect(readNumber(text, marks)).toHaveProperty('error', expect.stringContaining('can mean'))
  })

  test('is shown in a field as text that reads as the same number', () => {
    for (const number of [0, 1, -1, 12.5, 1.234, -1.234, 123.456, 1234.567, 0.125, 1e21, 1e-7, 999_999.999])
      expect(readNumber(fieldText(number, marks), marks)).toEqual({ number })
  })
})

test('the error for an ambiguous number uses the format of the locale', () => {
  expect([readNumber('1.234', english), readNumber('1.234', german)]).toEqual([
    { error: '1.234 can mean 1234 or 1.234. Enter 1234 or 1.2340.' },
    { error: '1.234 can mean 1234 or 1,234. Enter 1234 or 1,2340.' },
  ])
})

test('digits and separators of a locale are read', () => {
  expect(readNumber('١٢٫٥', marksOf('ar-EG'))).toEqual({ number: 12.5 })
})
