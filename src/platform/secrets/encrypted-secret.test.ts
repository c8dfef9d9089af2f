import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { secretBox } from './encrypted-secret.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const [first = '', second = ''] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
const bytesOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64')

test('the first key encrypts and every key reads, also the one in the database; without its key a secret stays closed', async () => {
  const box = (...keys: string[]) => secretBox(service.database, keys)
  const old = await box(first).make(1)
  expect(await box(second, first).open(1, old.encrypted)).toEqual(bytesOf(old.secret))
  expect(await box(second).open(1, old.encrypted)).toBe(undefined)
  const newer = await box(second, first).make(1)
  expect(await box(second).open(1, newer.encrypted)).toEqual(bytesOf(newer.secret))
  const kept = await box().make(1)
  expect(await box(first).open(1, kept.encrypted)).toEqual(bytesOf(kept.secret))
})

test('a secret opens in its own project alone, and not where a bit of it was changed', async () => {
  const box = secretBox(service.database, [first])
  const { encrypted } = await box.make(1)
  expect(await box.open(2, encrypted)).toBe(undefined)
  const spoiled = encrypted.slice(0, -4) + (encrypted.endsWith('AAA=') ? 'BBB=' : 'AAA=')
  expect(await box.open(1, spoiled)).toBe(undefined)
  expect(await box.open(1, 'nothing')).toBe(undefined)
})
