import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/setup/temporary-folder.ts'
import { readCertificate } from './certificate.ts'
import { ensureSelfSigned } from './self-signed.ts'

const days = 24 * 3600 * 1000
const later = (count: number) => new Date(Date.now() + count * days)

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

async function keep(now?: Date) {
  const { cert, key, files } = readCertificate(await ensureSelfSigned(folder, now))
  return { cert, key, files, parsed: new X509Certificate(cert) }
}

describe('the self-signed certificate', () => {
  test('is for localhost, 127.0.0.1 and ::1, lives 397 days and belongs to its key', async () => {
    const { parsed, key } = await keep()
    expect(parsed.checkHost('localhost')).toBe('localhost')
    expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(parsed.checkIP('::1')).toBe('::1')
    expect(parsed.checkHost('catalog.example')).toBeUndefined()
    expect(parsed.ca).toBe(false)
    expect(Math.round((parsed.validToDate.getTime() - Date.now()) / days)).toBe(397)
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true)
  })

  test('has a key that only its owner can read, also after someone opened it', async () => {
    const { files } = await keep()
    expect(statSync(files.key).mode & 0o777).toBe(0o600)
    expect(statSync(files.cert).mode & 0o777).toBe(0o644)
    chmodSync(files.key, 0o644)
    await keep()
    expect(statSync(files.key).mode & 0o777).toBe(0o600)
  })

  test('is reused while it is valid, and renewed 30 days before it expires, for the same key', async () => {
    const first = await keep()
    expect((await keep(later(366))).cert).toBe(first.cert)
    const renewed = await keep(later(368))
    expect(renewed.cert).not.toBe(first.cert)
    expect(renewed.key).toBe(first.key)
    expect((await keep(later(369))).cert).toBe(renewed.cert)
    expect((await keep(later(5000))).parsed.validToDate > later(5000)).toBe(true)
  })

  test('is renewed if it is not valid yet, as after a wrong clock', async () => {
    const early = await keep(later(1000))
    expect((await keep()).cert).not.toBe(early.cert)
  })

  test.each(['cert', 'key'] as const)('is repaired when the %s file was cut off', async (which) => {
    const { files } = await keep()
    writeFileSync(files[which], readFileSync(files[which], 'utf8').slice(0, 40))
    const { parsed, key } = await keep()
    expect(parsed.checkPrivateKey(createPrivateKey(key))).toBe(true)
  })

  test('is one for all that start at once, and no other file is left', async () => {
    const kept = await Promise.all(Array.from({ length: 8 }, () => keep()))
    expect(new Set(kept.map(({ cert }) => cert)).size).toBe(1)
    expect(readdirSync(join(folder, 'tls')).sort()).toEqual(['localhost.crt', 'localhost.key'])
  })
})

describe('a certificate of the operator is rejected with a message that names the file,', () => {
  test('if a file is missing or not PEM, or the key does not match the certificate', async () => {
    const { files } = await keep()
    const [firstKey, nonsense] = [join(folder, 'first.key'), join(folder, 'nonsense.pem')]
    writeFileSync(firstKey, readFileSync(files.key))
    writeFileSync(nonsense, 'nonsense')
    writeFileSync(files.key, '')
    await keep()
    const refusals: [string, string, string][] = [
      [join(folder, 'none.pem'), files.key, 'none.pem cannot be read'],
      [nonsense, files.key, 'nonsense.pem does not contain a PEM certificate'],
      [files.cert, nonsense, 'nonsense.pem does not contain a PEM private key'],
      [files.cert, firstKey, 'does not match the certificate'],
    ]
    for (const [cert, key, message] of refusals) expect(() => readCertificate({ cert, key })).toThrow(message)
  })

  test('if the key has a passphrase', async () => {
    const { files, key } = await keep()
    const locked = createPrivateKey(key).export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'secret',
    })
    writeFileSync(files.key, locked)
    expect(() => readCertificate(files)).toThrow('protected by a passphrase')
  })
})
