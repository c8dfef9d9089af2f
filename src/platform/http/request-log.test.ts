import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { generateToken } from '../../access/tokens/token-format.ts'
import { loggedUrl } from './request-log.ts'

const token = generateToken()
const secret = token.slice(4)
const escaped = (text: string) =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')

describe('an address is logged without a token in it', () => {
  test.each([
    ['plain', `/v2/products?token=${token}`],
    ['as a name', `/v2/products?${token}`],
    ['in the path', `/v2/products/by-sku/${token}`],
    ['with an encoded prefix', `/v2/products?x=%63at_${secret}`],
    ['next to an invalid encoding', `/v2/products?token=%63at_${secret}&x=%zz`],
    ['before what cannot be decoded', `/v2/products?token=%63at_${secret}%zz`],
    ['encoded whole', `/v2/products?token=${escaped(token)}`],
    ['encoded twice', `/v2/products?token=${encodeURIComponent(escaped(token))}`],
    ['encoded six times', `/v2/products?token=%2525252525${escaped(token).slice(1)}`],
    ['with blanks', `/v2/products?token=Bearer+${token.slice(0, 20)}+${token.slice(20)}`],
    ['with a NUL', `/v2/products?token=${token.slice(0, 20)}%00${token.slice(20)}`],
    [
      'with a character that is not ASCII',
      `/v2/products?token=${token.slice(0, 20)}\u00e9${token.slice(20)}`,
    ],
    ['in overlong UTF-8', `/v2/products?token=%c1%a3at_${secret}`],
    ['in overlong UTF-8, encoded twice', `/v2/products?token=%25c1%25a3at_${secret}`],
    ['in capitals', `/v2/products?token=CAT_${secret}`],
    ['without its prefix', `/v2/products?token=${secret}`],
    ['without its checksum', `/v2/products?token=${token.slice(0, 34)}`],
  ])('%s', (_name, url) => {
    const shown = loggedUrl(url)
    expect(shown).not.toContain(secret.slice(0, 16))
    expect(shown).not.toContain(escaped(secret).slice(1, 30))
    expect(shown).toMatch(/^\/v2\/products.*\[(hidden|malformed)\]/)
  })

  test.each([
    '/v2/products?search=lamp%20brass&page=2',
    '/v2/products?name__icontains=100%25+cotton',
    '/v2/products/by-sku/GAR%2FSEE-0024',
    '/v2/products?attributes%5BShoe%20Size%5D=42&id__in=1,2,3',
    '/v2/products/1?as_of=2026-01-01T00:00:00Z',
  ])('%s is logged as it was sent', (url) => {
    expect(loggedUrl(url)).toBe(url)
  })
})

test('lines that are logged right before the process ends are written', { tags: 'slow' }, () => {
  const { href } = new URL('request-log.ts', import.meta.url)
  const program = `import { openLog } from '${href}'
    const log = openLog('info')
    for (let line = 0; line < 300; line += 1) log.info({ line }, 'x'.repeat(100))
    if (process.argv[1] === 'later') setImmediate(() => { log.info({ line: 300 }); process.exit(3) })
    else { log.info({ line: 300 }); throw new Error('a bug') }`
  for (const [when, code] of [
    ['later', 3],
    ['now', 1],
  ] as const) {
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, when])
    const lines = String(stderr)
      .split('\n')
      .filter((line) => line.startsWith('{"level"'))
    expect({ status, lines: new Set(lines.map((line) => JSON.parse(line).line)) }).toEqual({
      status: code,
      lines: new Set(Array.from({ length: 301 }, (_, line) => line)),
    })
  }
})
