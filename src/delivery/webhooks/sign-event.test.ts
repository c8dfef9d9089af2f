import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { readDocument } from '../../../test/documents.ts'
import { temporaryFolder } from '../../../test/setup/temporary-folder.ts'
import { eventBody, signedHeaders } from './webhook-sender.ts'

const key = randomBytes(32)
const secret = `whsec_${key.toString('base64')}`
const other = randomBytes(32)
const body = '{"id":"evt_1_1","name":"Tölzer Häferl ☕"}'
const now = Math.floor(Date.now() / 1000)

/** Signed messages, and whether a holder of the secret accepts them. */
const cases: { headers: Record<string, string>; body: string; isGenuine: boolean }[] = [
  { headers: signedHeaders('evt_1_1', body, [key]), body, isGenuine: true },
  { headers: signedHeaders('evt_1_1', body, [other, key]), body, isGenuine: true },
  { headers: signedHeaders('evt_1_1', body, [other]), body, isGenuine: false },
  { headers: signedHeaders('evt_1_1', body, [key], now - 3_600), body, isGenuine: false },
  { headers: signedHeaders('evt_1_1', `${body} `, [key]), body, isGenuine: false },
  { headers: { ...signedHeaders('evt_1_1', body, [key]), 'webhook-id': 'evt_2_1' }, body, isGenuine: false },
]
const expected = cases.map(({ isGenuine }) => isGenuine)

function snippet(language: string, name: string): string {
  const fences = readDocument('docs/guide/webhooks.md').matchAll(
    new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'),
  )
  return [...fences].map(([, text = '']) => text).find((text) => text.includes(name)) ?? ''
}

test('a signature passes the Standard Webhooks verification; a changed or old message does not', () => {
  const verdicts = cases.map(({ headers, body: text }) => {
    try {
      return new Verifier(secret).verify(text, headers) !== undefined
    } catch {
      return false
    }
  })
  expect(verdicts).toEqual(expected)
})

test('the TypeScript example of the guide verifies the same signature', async () => {
  const file = join(temporaryFolder(), 'verify.ts')
  writeFileSync(file, snippet('ts', 'isGenuine'))
  const { isGenuine } = await import(/* @vite-ignore */ file)
  expect(cases.map(({ headers, body: text }) => isGenuine(secret, headers, text))).toEqual(expected)
})

const hasPython = spawnSync('python3', ['--version']).status === 0

test.skipIf(!hasPython)('the Python of the guide verifies the same', () => {
  const program = `${snippet('python', 'is_genuine')}
import json, sys
given = json.load(sys.stdin)
print(json.dumps([is_genuine(given["secret"], one["headers"], one["body"].encode()) for one in given["cases"]]))`
  const { stdout, stderr } = spawnSync('python3', ['-c', program], {
    input: JSON.stringify({ secret, cases }),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual(expected)
})

test('an event of up to 20,000 bytes is sent in full', () => {
  const event = (text: string) => ({
    data: { object: 'product', id: 1, sku: 'S', version: 1, before: null, after: { text } },
  })
  const empty = Buffer.byteLength(JSON.stringify(event('')))
  expect(JSON.parse(eventBody(event('x'.repeat(20_000 - empty)), 20_000)).data.after.text).toHaveLength(
    20_000 - empty,
  )
  expect(JSON.parse(eventBody(event(`ä${'x'.repeat(19_999 - empty)}`), 20_000))).toMatchObject({
    truncated: true,
    data: { id: 1, before: null, after: null },
  })
})
