import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { codeSample, type SampleRequest } from '../../client/samples/request-sample.ts'
import { sharedTestService, type TestService } from '../harness.ts'
import { freePort } from '../processes/free-port.ts'
import { requiredQuery, sampleAddress, validBodies } from '../samples.ts'
import { whenFileEnds } from '../setup/file-end.ts'
import { unpackedProject } from './built-package.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
let service: TestService
let hasPython: boolean
beforeAll(async () => {
  service = await sharedTestService()
  hasPython = await run('python3', ['--version']).then(
    () => true,
    () => false,
  )
})

const languages = { sh: 'sh', ts: process.execPath, py: 'python3' }
type Ending = keyof typeof languages

/** A folder of an integrator with a sample, a token and, if httpx is not installed, its stand-in. */
async function prepare(name: string, ending: Ending, extra: Record<string, string> = {}) {
  const shop = await service.tenant()
  const folder = unpackedProject()
  const code = readFileSync(join(root, `client/samples/${name}.${ending}`), 'utf8')
  writeFileSync(join(folder, `sample.${ending}`), code.replaceAll('http://127.0.0.1:8080', service.url))
  const env = { ...process.env, CATALOG_TOKEN: shop.token, ...(await pythonPath()), ...extra }
  return {
    shop,
    folder,
    program: languages[ending],
    args: [`sample.${ending}`],
    options: { cwd: folder, env },
  }
}

async function pythonPath(): Promise<Record<string, string>> {
  const isInstalled = await run('python3', ['-c', 'import httpx']).then(
    () => true,
    () => false,
  )
  return isInstalled ? {} : { PYTHONPATH: join(root, 'test/client/httpx'), PYTHONDONTWRITEBYTECODE: '1' }
}

describe.each(['sh', 'ts', 'py'] as const)('the sample in %s', (ending) => {
  test('lists products', async ({ skip }) => {
    skip(ending === 'py' && !hasPython, 'python3 is not installed')
    const { shop, program, args, options } = await prepare('list-products', ending)
    await shop.call('/v2/products', {
      method: 'POST',
      body: { sku: 'LISTED', name: 'A pot', status: 'active' },
    })
    expect((await run(program, args, options)).stdout).toContain('LISTED')
  })

  test('pushes a file', async ({ skip }) => {
    skip(ending === 'py' && !hasPython, 'python3 is not installed')
    const { shop, folder, program, args, options } = await prepare('push-file', ending)
    writeFileSync(
      join(folder, 'products.ndjson'),
      '{"sku": "POT-20", "name": "Pot"}\n{"sku": "POT-30", "name": "Pot"}\n',
    )
    expect((await run(program, args, options)).stdout).toMatch(/created\W+2/)
    expect((await shop.call('/v2/products')).body.count).toBe(2)
  })

  test('follows changes', async ({ skip }) => {
    skip(ending === 'py' && !hasPython, 'python3 is not installed')
    const { shop, program, args, options } = await prepare('follow-changes', ending)
    await shop.call('/v2/products', { method: 'POST', body: { sku: 'FIRST', name: 'A pot' } })
    if (ending === 'sh') expect((await run(program, args, options)).stdout).toContain('FIRST')
    else {
      const { printed } = start(spawn(program, args, options))
      await expect.poll(printed).toContain('FIRST')
      await shop.call('/v2/products', { method: 'POST', body: { sku: 'SECOND', name: 'A pot' } })
      await expect.poll(printed).toContain('product.created SECOND')
    }
  })
})

/** Collects what a program prints, until the test ends. */
function start(child: ChildProcess) {
  const parts: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part) => parts.push(part))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { printed: () => Buffer.concat(parts).toString() }
}

test.each(['ts', 'py'] as const)(
  'the sample in %s receives webhooks, and rejects forged ones',
  async (ending) => {
    if (ending === 'py' && !hasPython) return
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const port = await freePort()
    const extra = {
      PORT: String(port),
      WEBHOOK_SECRETS: `whsec_${Buffer.alloc(32, 8).toString('base64')} ${secret}`,
    }
    const { program, args, options } = await prepare('receive-webhooks', ending, extra)
    const { printed } = start(spawn(program, args, options))
    const body = JSON.stringify({ type: 'product.created', data: { sku: 'HOOKED' } })
    const send = async (text: string): Promise<number> => {
      const now = new Date()
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
      }
      const request = { method: 'POST', headers, body: text }
      return fetch(`http://127.0.0.1:${port}`, request).then(
        ({ status }) => status,
        () => 0,
      )
    }
    await expect.poll(() => send(body)).toBe(204)
    await expect.poll(printed).toContain('product.created HOOKED')
    expect(await send(body.replace('HOOKED', 'FORGED'))).toBe(400)
  },
)

type Recorded = { method: string; url: string; isAuthorized: boolean }

/** An endpoint that records requests, and responds with an empty object. */
async function recorder() {
  const recorded: Recorded[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request.resume()
    recorded.push({ method, url, isAuthorized: headers.authorization === 'Bearer cat_x' })
    response.setHeader('content-type', 'application/json').end('{"results": [], "summary": {}}\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenFileEnds(() => void server.close())
  return { recorded, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The sample of every operation, as the reference shows it. */
async function everySample(origin: string): Promise<{ id: string; request: SampleRequest }[]> {
  type Operation = {
    operationId: string
    requestBody?: { content: object }
    parameters?: { name: string; schema?: { type?: string } }[]
  }
  const { body } = await service.call('/openapi.json')
  const paths = body.paths as Record<string, Record<string, Operation> & { servers?: object }>
  return Object.entries(paths).flatMap(([path, { servers, ...operations }]) =>
    Object.entries(operations).map(([verb, { operationId: id, requestBody, parameters = [] }]) => {
      const method = verb.toUpperCase()
      const route = path.replaceAll(/\{(\w+)\}/g, ':$1')
      const [type] = Object.keys(requestBody?.content ?? {})
      return {
        id,
        request: {
          method,
          url: `${origin}${servers ? '' : '/v2'}${sampleAddress(route, 1)}${requiredQuery(route)}`,
          headers: { Authorization: 'Bearer x', ...(type && { 'Content-Type': type }) },
          body: type && JSON.stringify(validBodies[`${method} ${route}`] ?? {}),
          lists: parameters.filter(({ schema }) => schema?.type === 'array').map(({ name }) => name),
        },
      }
    }),
  )
}

describe('the samples of the reference', () => {
  test('compile in TypeScript, and send the request of their operation', async () => {
    const { recorded, url } = await recorder()
    const samples = await everySample(url)
    const folder = unpackedProject()
    writeFileSync(join(folder, 'file'), 'file')
    for (const { id, request } of samples)
      writeFileSync(join(folder, `${id}.ts`), codeSample('TypeScript', request))
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      target: 'es2022',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(root, 'node_modules/@types')],
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const tsc = join(root, 'node_modules/typescript/bin', 'tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    expect(stdout).toBe('')
    writeFileSync(join(folder, 'all.ts'), samples.map(({ id }) => `await import('./${id}.ts')\n`).join(''))
    await run(process.execPath, ['all.ts'], { cwd: folder, env: { ...process.env, CATALOG_TOKEN: 'cat_x' } })
    expect(recorded.map(lineOf)).toEqual(samples.map(({ request }) => lineOf(request)))
    expect(recorded.every(({ isAuthorized }) => isAuthorized)).toBe(true)
  })

  test('send the request of their operation in Python', async ({ skip }) => {
    skip(!hasPython, 'python3 is not installed')
    const { recorded, url } = await recorder()
    const samples = await everySample(url)
    const folder = unpackedProject()
    writeFileSync(join(folder, 'file'), 'file')
    writeFileSync(
      join(folder, 'all.py'),
      samples.map(({ request }) => codeSample('Python', request)).join('\n'),
    )
    const env = { ...process.env, CATALOG_TOKEN: 'cat_x', ...(await pythonPath()) }
    await run('python3', ['all.py'], { cwd: folder, env })
    expect(recorded.map(lineOf)).toEqual(samples.map(({ request }) => lineOf(request)))
  })

  test('send the request of their operation with curl', async () => {
    const { recorded, url } = await recorder()
    const samples = (await everySample(url)).filter((_, place) => place % 9 === 0)
    const folder = unpackedProject()
    writeFileSync(join(folder, 'file'), 'file')
    const commands = samples.map(({ request }) => codeSample('curl', request)).join('\n')
    await run('sh', ['-c', commands], { cwd: folder, env: { ...process.env, CATALOG_TOKEN: 'cat_x' } })
    expect(recorded.map(lineOf)).toEqual(samples.map(({ request }) => lineOf(request)))
  })
})

function lineOf({ method, url }: { method: string; url: string }): string {
  const { pathname, search } = new URL(url, 'http://localhost')
  return `${method} ${decodeURIComponent(pathname)}${search}`
}
