import { expect, test } from 'vitest'
import { escapePointer, isExact, scanJson, UnacceptableJson } from './json-scan.ts'

test.each(
  [
    '0',
    '1.50',
    '15e-1',
    '1E2',
    '100',
    '-1.5',
    '0.0001',
    '1e22',
    '99999999.9999',
    '9007199254740991',
    '0.1e1',
  ].concat([
    '-12.50e+3',
    '1000000000000000000000',
    '0.000000000000000000001',
    '00'.slice(1),
    '0.0e5',
    '123456789012345e0',
    '-5e-1',
    '1005.0e0',
    '-1e22',
  ]),
)('%s is a number that is kept as it was written', (literal) => {
  expect(isExact(literal)).toBe(true)
})

test.each(
  ['-0', '-0.0', '-0e1', '1e400', '-1e400', '1e-400', '9007199254740993', '0.1234567890123456789'].concat([
    '99999999999999999999',
    '1.00000000000000001',
    '123456789012345678',
    '-9007199254740993',
    '-1e-400',
  ]),
)('%s is no number that can be kept as it was written', (literal) => {
  expect(isExact(literal)).toBe(false)
})

const pointers = (text: string) => scanJson(text).map(({ pointer, code }) => `${code} ${pointer}`)

test('errors that parsing hides are reported with their pointer', () => {
  expect(pointers('{"a":[1,{"b/c~":1e400}],"d":-0}')).toEqual([
    'inexact_number /a/1/b~1c~0',
    'inexact_number /d',
  ])
  expect(pointers('{"a":"\\u0000","b":["x","\\ud800"],"\\udfff":1}')).toEqual([
    'invalid_text /a',
    'invalid_text /b/1',
    'invalid_text /\ufffd',
  ])
  expect(pointers('{"a":"\\"{[,-0\\\\","b":"\\ud83d\\ude00","c":[{},[],true,null,12]} ')).toEqual([])
  expect(pointers('-0')).toEqual(['inexact_number '])
  expect(pointers('"text"')).toEqual([])
  expect(pointers('[0.9007199254740993,9007199254740993]')).toEqual(['inexact_number /1'])
  expect(pointers(`[${Array(200).fill('-0').join()}]`)).toHaveLength(100)
  expect(pointers(`{"${'k'.repeat(300)}":-0}`)).toEqual([`inexact_number /${'k'.repeat(200)}`])
})

test('an error describes what is wrong', () => {
  expect(scanJson('["\\u0000",-0]').map(({ message }) => message)).toEqual([
    'must be valid Unicode without the NUL character',
    'has more digits than a JSON number can represent, or is -0; send fewer digits',
  ])
})

test('a duplicate key in an object, more than 32 levels and too many members are rejected', () => {
  expect(() => scanJson('{"a":1,"b":{"a":1},"\\u0061":2}')).toThrow(
    'The key "a" appears twice in one object.',
  )
  expect(scanJson('[{"a":1},{"a":1}]')).toEqual([])
  expect(scanJson('['.repeat(32) + ']'.repeat(32))).toEqual([])
  expect(() => scanJson('['.repeat(33) + ']'.repeat(33))).toThrow('deeper than 32 levels')
  expect(() => scanJson('[1,2,3]', 2)).toThrow('more than 2 members')
  expect(scanJson('[[1,2],[1,2]]', 2)).toEqual([])
  expect(() => scanJson(`[${Array(1001).fill('1').join()}]`)).toThrow(UnacceptableJson)
  expect(escapePointer('~/~')).toBe('~0~1~0')
})
