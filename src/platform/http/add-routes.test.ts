import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

test('routes with their own hooks, parsers or decorators have their own context', () => {
  const mounted = ['src/app.ts', 'src/api-routes.ts', 'src/console-api/console-api.ts'].map(read).join('\n')
  const own = globSync('src/**/*.routes.ts', { cwd: root })
    .map(read)
    .filter((text) => /\bapp\.(addHook|\w*ContentTypeParsers?|decorate\w*|set\w+)\(|acceptLines\(/.test(text))
    .flatMap((text) => text.match(/(?<=^export function )\w+Routes(?=\()/gm) ?? [])
  expect(own).toContain('pushRoutes')
  expect(
    own.filter((name) => !new RegExp(`(isolateRoutes|register)\\(\\s*${name}\\(`).test(mounted)),
  ).toEqual([])
})
