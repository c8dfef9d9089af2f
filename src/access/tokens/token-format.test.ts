import { expect, test } from 'vitest'
import { grants, scopes } from '../../model/scopes.ts'
import { readOverlap } from './overlap.ts'
import { generateSecret, generateToken, hashToken, isWellFormedToken } from './token-format.ts'

// Fixed values, so that issued tokens stay valid.
const issued = 'cat_000000000000000000000000000000'

test('a token contains the checksum of its random part, and any changed character makes it invalid', () => {
  const token = generateToken()
  expect(token).toMatch(/^cat_[0-9A-Za-z]{36}$/)
  expect(isWellFormedToken(token)).toBe(true)
  for (const place of [4, 20, 33, 34, 39]) {
    const other = token[place] === 'a' ? 'b' : 'a'
    expect(isWellFormedToken(token.slice(0, place) + other + token.slice(place + 1))).toBe(false)
  }
  for (const text of ['', 'cat_', token.slice(1), `x${token}`, `${token}x`, token.slice(0, -1), `${token}\n`])
    expect(isWellFormedToken(text)).toBe(false)
  expect(generateToken()).not.toBe(token)
})

test('the checksum is CRC-32 in base 62: digits, then uppercase, then lowercase letters', () => {
  expect(isWellFormedToken(`${issued}2C8GjS`)).toBe(true)
  expect(isWellFormedToken(`${issued}2C8GjT`)).toBe(false)
})

test('only the SHA-256 and the last four characters of a token are stored', () => {
  const { token, hash, lastCharacters } = generateSecret()
  expect([hash, lastCharacters]).toEqual([hashToken(token), token.slice(36)])
  expect(hashToken('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
})

test('write and ai:run include propose, which includes read; ai:manage includes ai:run, webhooks:manage includes events:read', () => {
  const granted = Object.fromEntries(
    scopes.map((held) => [held, scopes.filter((one) => grants([held], one))]),
  )
  expect(granted).toEqual({
    'products:read': ['products:read'],
    'products:propose': ['products:read', 'products:propose'],
    'products:write': ['products:read', 'products:propose', 'products:write'],
    'prompts:read': ['prompts:read'],
    'prompts:write': ['prompts:read', 'prompts:write'],
    'events:read': ['events:read'],
    'webhooks:manage': ['events:read', 'webhooks:manage'],
    'ai:run': ['products:read', 'products:propose', 'ai:run'],
    'ai:manage': ['products:read', 'products:propose', 'ai:run', 'ai:manage'],
  })
  expect(grants([], 'products:read')).toBe(false)
  expect(grants(['prompts:read', 'products:write'], 'products:read')).toBe(true)
})

test.each([
  ['45s', 45],
  ['30m', 1_800],
  ['24h', 86_400],
  ['7d', 604_800],
  ['999999d', 86_399_913_600],
  ['1000000d', undefined],
  ['7', undefined],
  ['d', undefined],
  ['7w', undefined],
  ['-7d', undefined],
  ['7d ', undefined],
  ['x7d', undefined],
])('an overlap of %j is %j seconds', (text, seconds) => {
  expect(readOverlap(text)).toBe(seconds)
})
