import { expect, test } from 'vitest'
import {
  bumpVersion,
  compareVersions,
  formatVersion,
  parseVersion,
  type VersionNumber,
} from './version-number.ts'

test.each(['0.0.0', '1.10.0', '999999999.0.1'])('%s is parsed and formatted unchanged', (text) => {
  expect(formatVersion(parseVersion(text) as VersionNumber)).toBe(text)
})

test.each([
  '',
  '1',
  '1.0',
  '1.0.0.0',
  '01.0.0',
  'v1.0.0',
  '1.0.0 ',
  '1.0.0\n',
  '1.0.-1',
  '1e3.0.0',
  '１.0.0',
  '1000000000.0.0',
])('%j is not a version number', (text) => {
  expect(parseVersion(text)).toBeUndefined()
})

test('numbers are compared as numbers', () => {
  const sorted = ['0.9.9', '1.0.0', '1.0.10', '1.9.0', '1.10.0', '2.0.0']
  const shuffled = ['1.10.0', '2.0.0', '0.9.9', '1.0.10', '1.9.0', '1.0.0']
  const parsed = shuffled.map((text) => parseVersion(text) as VersionNumber)
  expect(parsed.sort(compareVersions).map(formatVersion)).toEqual(sorted)
})

test('a bump raises one part and clears those after it', () => {
  expect(bumpVersion([1, 2, 3], 'major')).toEqual([2, 0, 0])
  expect(bumpVersion([1, 2, 3], 'minor')).toEqual([1, 3, 0])
  expect(bumpVersion([1, 2, 3], 'patch')).toEqual([1, 2, 4])
})
