import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from './setup/temporary-folder.ts'

const script = fileURLToPath(new URL('../scripts/check-layers.ts', import.meta.url))

/** Turns a path into an import; anything else is already a statement. */
function asImport(given: string): string {
  return given.startsWith('.') ? `import { x } from '${given}'` : given
}

/** The output of the check for a checkout with these files and their imports. */
function check(files: Record<string, string[]>): string[] {
  const folder = temporaryFolder()
  for (const [file, imports] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'src', file)), { recursive: true })
    writeFileSync(join(folder, 'src', file), imports.map(asImport).join('\n'))
  }
  const { status, stderr } = spawnSync(process.execPath, [script, folder], { encoding: 'utf8' })
  const errors = stderr.split('\n').filter((line) => line !== '')
  expect(status).toBe(errors.length > 0 ? 1 : 0)
  return errors
}

test('imports of lower layers, within a folder, or in one direction within a layer pass', () => {
  const errors = check({
    'cli/run.ts': ['../app.ts', '../catalog/products/list/page.ts'],
    'app.ts': ['./catalog/products/list/page.ts'],
    'catalog/push/push.ts': ['../products/write.ts', '../../model/fields/fields.ts'],
    'catalog/products/list/page.ts': ['../write.ts', './row.ts'],
    'catalog/products/list/row.ts': [],
    'catalog/products/write.ts': ['../../config.ts'],
    'model/fields/fields.ts': ['../../platform/http/server.ts'],
    'platform/http/server.ts': ['./request/body.ts'],
    'platform/http/request/body.ts': ['../server.ts'],
    'config.ts': ['./platform/http/server.ts'],
  })
  expect(errors).toEqual([])
})

test('an import of a higher layer is rejected', () => {
  const errors = check({
    'model/fields/fields.ts': ['../../catalog/products/write.ts'],
    'catalog/products/write.ts': [],
    'platform/http/server.ts': ['../../config.ts'],
    'config.ts': [],
  })
  expect(errors).toHaveLength(2)
  for (const error of errors) expect(error).toMatch(/(fields|server)\.ts imports .* imports only go down/)
})

test('folders that import each other are rejected, also through a third one and between a core and its wing', () => {
  const errors = check({
    'catalog/a/a.ts': ['../b/b.ts'],
    'catalog/b/b.ts': ['../c/c.ts'],
    'catalog/c/c.ts': ['../a/a.ts'],
    'delivery/events/read.ts': ['./streams/stream.ts'],
    'delivery/events/streams/stream.ts': ['../read.ts'],
  })
  expect(errors).toHaveLength(5)
  for (const error of errors) expect(error).toContain('no two folders import each other')
})

test("an import of another folder's wing is rejected", () => {
  const errors = check({
    'catalog/push/push.ts': ['../products/list/page.ts'],
    'catalog/products/list/page.ts': [],
  })
  expect(errors).toEqual([expect.stringContaining("no folder imports another folder's wing")])
})

test('every form of import is found', () => {
  const forms = [
    `import '../../catalog/products/write.ts'`,
    `import type { X } from '../../catalog/products/write.ts'`,
    `export * from '../../catalog/products/write.ts'`,
    `const one = await import('../../catalog/products/write.ts')`,
    'const two = import(/* later */ `../../catalog/products/write.ts`)',
    `new Worker(new URL('../../catalog/products/write.ts', import.meta.url))`,
  ]
  const importers = forms.map((form, index) => [`model/folder-${index}/file.ts`, [form]])
  const errors = check({ ...Object.fromEntries(importers), 'catalog/products/write.ts': [] })
  expect(errors.map((error) => error.match(/folder-(\d)/)?.[1])).toEqual(['0', '1', '2', '3', '4', '5'])
})

test('an import from or into a folder that is not a layer, or outside the sources, is rejected', () => {
  const errors = check({
    'model/fields/fields.ts': ['../../views/view.ts', '../../../console/page.tsx'],
    'views/view.ts': ['../platform/http/server.ts'],
    'platform/http/server.ts': [],
  })
  expect(errors.filter((error) => error.includes('stays on its floors'))).toHaveLength(3)
})
