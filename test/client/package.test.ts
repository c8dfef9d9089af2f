import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { operations } from '../../client/operations.ts'
import { version } from '../../src/platform/version.ts'
import { readDocument } from '../documents.ts'
import { packageFiles, unpackedProject } from './built-package.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const kilobyte = 1000

const zipped = (text: string) => gzipSync(text, { level: 9 }).length

test('the package has at most 10 kB if an application imports everything, and 16 kB of JavaScript', async () => {
  const bundle = await rolldown({ input: join(root, 'client/index.ts'), logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  expect(zipped(output[0].code)).toBeLessThan(10 * kilobyte)
  const scripts = [...packageFiles()].filter(([name]) => name.endsWith('.js'))
  expect(scripts.reduce((sum, [, bytes]) => sum + zipped(bytes.toString()), 0)).toBeLessThan(16 * kilobyte)
})

test('npm packs only the module, its types, the license and the readme, without dependencies', async () => {
  const files = packageFiles()
  const wanted = ['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json']
  expect([...files.keys()]).toEqual(wanted)
  const folder = join(unpackedProject(), 'node_modules/catalog-client')
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json'], { cwd: folder })
  const [packed] = Object.values(JSON.parse(stdout)) as { files: { path: string }[]; bundled: string[] }[]
  expect(packed?.files.map(({ path }) => path).sort()).toEqual(wanted)
  const manifest = JSON.parse(String(files.get('package.json')))
  expect([manifest.name, manifest.version]).toEqual(['catalog-client', version])
  expect(Object.keys(manifest).filter((key) => /bin|scripts|dependencies/i.test(key))).toEqual([])
  expect(String(files.get('index.js'))).not.toMatch(/\bnode:|\brequire\(|^import /m)
})

test('the package stores every released tarball unchanged', () => {
  const folder = join(root, 'client/releases')
  const tarballs = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  const sums = tarballs.map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
    return `${digest}  ${name}\n`
  })
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(sums.sort().join(''))
  const released = [...readDocument('CHANGELOG.md').matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(
    ([, name]) => name ?? '',
  )
  const withClient = released.filter((name) => name.localeCompare('0.4.0', 'en', { numeric: true }) >= 0)
  expect(tarballs.sort()).toEqual(withClient.map((name) => `catalog-client-${name}.tgz`).sort())
})

/** Calls every method with arguments of its own types, and some with values. */
function everyCall(): string {
  const calls = Object.entries(operations).flatMap(([group, methods]) =>
    Object.entries(methods).flatMap(([name, request]) => {
      const names = request.endsWith('pages') ? [name, name.replace('list', 'all')] : [name]
      return names.map(
        (one) => `catalog.${group}.${one}(...any<Parameters<Catalog['${group}']['${one}']>>())`,
      )
    }),
  )
  return `
import { Catalog, CatalogProblem, verifyWebhook, type Event, type ListedProduct, type ProductCreate, type Verdict } from 'catalog-client'

declare function any<Value>(): Value
const catalog = new Catalog({ url: 'https://catalog.example.com', token: 'cat_x', fetch, retries: 3 })
export const results: (Promise<unknown> | AsyncGenerator<unknown, void>)[] = [
  ${calls.join(',\n  ')},
]

const mug: ProductCreate = { sku: 'MUG-1', name: 'Mug', price: 12.5, attributes: { color: 'red' } }
const { id } = await catalog.products.create(mug, { idempotencyKey: 'import-1' })
let etag: string | null = null
await catalog.products.get(id, {}, { onResponse: ({ headers }) => void (etag = headers.get('etag')) })
const price: number | null | undefined = (await catalog.products.update(id, { price: 13 }, { ifMatch: etag ?? '' })).price
for await (const product of catalog.products.all({ status: 'active', id__in: [1, 2] })) {
  const listed: ListedProduct = product
  console.log(listed.sku, price)
}
await catalog.products.push([mug, '{"sku": "MUG-2"}'], {
  mode: 'upsert',
  onVerdict: (verdict: Verdict) => console.log(verdict.line, verdict.outcome === 'unknown'),
})
for await (const { sku, version } of catalog.products.export({ status: 'active' })) console.log(sku, version)
for await (const event of catalog.events.stream({ types: ['product.*'] })) console.log(event.id)
await catalog.follow({
  after: undefined,
  onCopy: ({ sku }) => console.log(sku),
  onEvent: async (event: Event) => console.log(event.type),
  onCursor: (cursor) => console.log(cursor),
  onRestart: (problem) => console.log(problem.code),
  signal: new AbortController().signal,
})
const event: Event = await verifyWebhook(['whsec_a', 'whsec_b'], new Headers(), new Uint8Array())
await verifyWebhook('whsec_a', { 'webhook-id': '1' }, new ArrayBuffer(1))
try {
  // @ts-expect-error: a price is a number
  await catalog.products.create({ sku: 'A', name: 'A', price: '1' })
  // @ts-expect-error: there is no such status
  await catalog.products.list({ status: 'gone' })
} catch (error) {
  if (!(error instanceof CatalogProblem)) throw error
  const [status, retryAfter, requestId]: [number, number | undefined, string | undefined] = [error.status, error.retryAfter, error.requestId]
  if (error.code === 'precondition_failed' || error.code === 'a_newer_code') console.log(status, retryAfter, requestId, event, error.errors[0]?.code)
}
`
}

test.each([
  ['5.4', 'typescript-5.4', { types: [], lib: ['es2022', 'dom', 'dom.iterable'] }],
  ['7', 'typescript', { types: [], lib: ['esnext', 'dom'] }],
  [
    '7, without the types of browsers',
    'typescript',
    { types: ['node'], lib: ['esnext'], skipLibCheck: true },
  ],
])('every operation compiles in strict mode with TypeScript %s', async (_version, compiler, options) => {
  const folder = unpackedProject()
  const compilerOptions = {
    ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, noEmit: true },
    // Skips the types of TypeScript itself.
    skipDefaultLibCheck: true,
    ...{ target: 'es2022', module: 'nodenext', typeRoots: [join(root, 'node_modules/@types')] },
    ...options,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  writeFileSync(join(folder, 'program.ts'), everyCall())
  const tsc = join(root, 'node_modules', compiler, 'bin', 'tsc')
  const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})
