import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { sharedTestService } from './harness.ts'
import { temporaryFolder } from './setup/temporary-folder.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const run = promisify(execFile)
const quietly = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** A program of an integrator. The compiler checks every field and argument. */
const program = `
import { client, type ListedProduct, type ProductCreate } from './client.ts'

declare const process: { argv: string[] }
const [serverUrl = '', token = ''] = process.argv.slice(2)
client.configure({ serverUrl: serverUrl + '/v2', auth: { bearer: token } })

const mug: ProductCreate = { sku: 'MUG-1', name: 'Mug', price: 12.5, attributes: { color: 'red' } }
const created = await client.createProduct({ body: mug })
const { data: patched, headers } = await client.patchProduct(
  { path: { id: created.id }, body: { price: 13, inventory: { quantity: 3 } } },
  { envelope: true },
)
const pushed = await client.pushProducts({
  body: Array.from({ length: 6 }, (_, n) => ({ sku: 'P-' + n, name: 'P ' + n, attributes: { color: 'red', n } })),
})

const first = await client.listProducts({ query: { page_size: 2 } })
const ids = first.results.map((product: ListedProduct) => product.id)
const byId = await client.listProducts({ query: { id__in: ids, expand: 'detail' } })
const price: number | null | undefined = byId.results[0]?.price

const walked: string[] = []
for await (const { sku } of client.listProducts.items({ query: { page_size: 2, attributes: { color: 'red' } } }))
  walked.push(sku)
const walkedById: string[] = []
for await (const { sku } of client.listProducts.items({ query: { page_size: 1, id__in: ids, ordering: '-sku' } }))
  walkedById.push(sku)
let pages = 0
for await (const page of client.listProducts.pages({ query: { page_size: 3, status__in: ['pending', 'active'] } }))
  pages += page.results.length > 0 ? 1 : 0

console.log(JSON.stringify({
  created: created.quality_score.grade,
  patched: [patched.price, patched.inventory?.quantity, headers.etag.startsWith('"2-'), headers.xRequestId !== ''],
  pushed: [pushed.summary.created, pushed.results[0]?.outcome],
  first: [first.count, ids.length],
  byId: [byId.count, price],
  walked,
  walkedById,
  pages,
}))
`

test('a generated client compiles, lists, iterates, filters, creates, patches and pushes', async () => {
  const service = await sharedTestService()
  const folder = temporaryFolder()
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'openapi.json'), (await service.call('/openapi.json')).text)
  await writeFile(join(folder, 'program.ts'), program)

  const node = (...args: string[]) =>
    run(process.execPath, args, { cwd: folder, env: { ...process.env, ...quietly } })
  const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  await node(redocly, 'generate-client', 'openapi.json', '-o', 'client.ts', '--import-ext', 'ts')

  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext']
  const { stdout: errors } = await node(
    ...[tsc, ...options, '--types', '', '--allowImportingTsExtensions', 'program.ts'],
  ).catch((error: { stdout: string }) => error)
  expect(errors).toBe('')

  const { token } = await service.tenant()
  const { stdout } = await node('program.ts', service.url, token)
  const pushed = Array.from({ length: 6 }, (_, n) => `P-${n}`)
  expect(JSON.parse(stdout)).toEqual({
    created: expect.any(String),
    patched: [13, 3, true, true],
    pushed: [6, 'created'],
    first: [7, 2],
    byId: [2, 13],
    walked: ['MUG-1', ...pushed],
    walkedById: ['P-0', 'MUG-1'],
    pages: 3,
  })
})
