import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from './setup/temporary-folder.ts'

const script = fileURLToPath(new URL('../scripts/check-layers.ts', import.meta.url))

/** A path is imported for a name; anything else is a statement already. */
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
  const faults = stderr.split('\n').filter((line) => line !== '')
  expect(status).toBe(faults.length > 0 ? 1 : 0)
  return faults
}

test('imports that go down, within a folder or one way within a floor pass', () => {
  const faults = check({
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
  expect(faults).toEqual([])
})

test('an import that goes up is refused', () => {
  const faults = check({
    'model/fields/fields.ts': ['../../catalog/products/write.ts'],
    'catalog/products/write.ts': [],
    'platform/http/server.ts': ['../../config.ts'],
    'config.ts': [],
  })
  expect(faults).toHaveLength(2)
  for (const fault of faults) expect(fault).toMatch(/(fields|server)\.ts imports .* imports only go down/)
})

test('folders that import each other are refused, also through a third one and between a core and its wing', () => {
  const faults = check({
    'catalog/a/a.ts': ['../b/b.ts'],
    'catalog/b/b.ts': ['../c/c.ts'],
    'catalog/c/c.ts': ['../a/a.ts'],
    'delivery/events/read.ts': ['./streams/stream.ts'],
    'delivery/events/streams/stream.ts': ['../read.ts'],
  })
  expect(faults).toHaveLength(5)
  for (const fault of faults) expect(fault).toContain('no two folders import each other')
})

test("an import of another folder's wing is refused", () => {
  const faults = check({
    'catalog/push/push.ts': ['../products/list/page.ts'],
    'catalog/products/list/page.ts': [],
  })
  expect(faults).toEqual([expect.stringContaining("no folder imports another folder's wing")])
})

test('every form of an import is seen', () => {
  const forms = [
    `import '../../catalog/products/write.ts'`,
    `import type { X } from '../../catalog/products/write.ts'`,
    `export * from '../../catalog/products/write.ts'`,
    `const one = await import('../../catalog/products/write.ts')`,
    'const two = import(/* later */ `../../catalog/products/write.ts`)',
    `new Worker(new URL('../../catalog/products/write.ts', import.meta.url))`,
  ]
  const importers = forms.map((form, index) => [`model/folder-${index}/file.ts`, [form]])
  const faults = check({ ...Object.fromEntries(importers), 'catalog/products/write.ts': [] })
  expect(faults.map((fault) => fault.match(/folder-(\d)/)?.[1])).toEqual(['0', '1', '2', '3', '4', '5'])
})

test('an import from or into a folder that is no floor, or that leaves the source, is refused', () => {
  const faults = check({
    'model/fields/fields.ts': ['../../views/view.ts', '../../../console/page.tsx'],
    'views/view.ts': ['../platform/http/server.ts'],
    'platform/http/server.ts': [],
  })
  expect(faults.filter((fault) => fault.includes('stays on its floors'))).toHaveLength(3)
})
