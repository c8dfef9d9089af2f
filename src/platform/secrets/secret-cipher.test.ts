import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../test/harness.ts'
import { secretCipher } from './secret-cipher.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

const [first = '', second = ''] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64'))
const bytesOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64')

test('the first key encrypts and every key reads, also the one in the database; without its key a secret stays closed', async () => {
  const cipher = (...keys: string[]) => secretCipher(service.database, keys)
  const old = await cipher(first).create(1)
  expect(await cipher(second, first).decrypt(1, old.encrypted)).toEqual(bytesOf(old.secret))
  expect(await cipher(second).decrypt(1, old.encrypted)).toBe(undefined)
  const newer = await cipher(second, first).create(1)
  expect(await cipher(second).decrypt(1, newer.encrypted)).toEqual(bytesOf(newer.secret))
  const kept = await cipher().create(1)
  expect(await cipher(first).decrypt(1, kept.encrypted)).toEqual(bytesOf(kept.secret))
})

test('a key of a provider opens only for its own project and purpose, and never as a webhook secret', async () => {
  const cipher = secretCipher(service.database, [first])
  const owner = { projectId: 1, purpose: 'ai_provider' } as const
  const encrypted = await cipher.encryptText(owner, 'sk-grün')
  expect(encrypted).not.toContain('sk-')
  expect(await cipher.decryptText(owner, encrypted)).toBe('sk-grün')
  expect(await cipher.decryptText({ ...owner, projectId: 2 }, encrypted)).toBe(undefined)
  expect(await cipher.decrypt(1, encrypted)).toBe(undefined)
  expect(await cipher.decryptText(owner, (await cipher.create(1)).encrypted)).toBe(undefined)
  expect(await secretCipher(service.database, [second]).decryptText(owner, encrypted)).toBe(undefined)
})

test('a secret opens in its own project alone, and not where a bit of it was changed', async () => {
  const cipher = secretCipher(service.database, [first])
  const { encrypted } = await cipher.create(1)
  expect(await cipher.decrypt(2, encrypted)).toBe(undefined)
  const spoiled = encrypted.slice(0, -4) + (encrypted.endsWith('AAA=') ? 'BBB=' : 'AAA=')
  expect(await cipher.decrypt(1, spoiled)).toBe(undefined)
  expect(await cipher.decrypt(1, 'nothing')).toBe(undefined)
})
