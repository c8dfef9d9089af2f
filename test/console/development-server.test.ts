import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import config from '../../console/vite.config.ts'

const proxied = Object.keys(config.server?.proxy ?? {})
const isProxied = (path: string) =>
  proxied.some((rule) => (rule.startsWith('^') ? new RegExp(rule).test(path) : path.startsWith(rule)))

test('npx vite console serves every source file itself, and sends requests for media files to the service', () => {
  const sources = globSync('**/*.{ts,tsx,css,svg,html}', { cwd: join(import.meta.dirname, '../../console') })
  expect(sources.length).toBeGreaterThan(100)
  expect(sources.filter((path) => isProxied(`/${path}`))).toEqual([])
  expect(['/media/key/hash/mug.jpg', '/v2/products'].map(isProxied)).toEqual([true, true])
})
