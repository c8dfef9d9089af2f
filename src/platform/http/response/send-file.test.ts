import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { diskStore } from '../../file-store/disk-store.ts'
import { Problem } from '../problems.ts'
import { sendFile } from './send-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'send-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a route can tell a sent file from a missing one, and logs no error for a sent file', async () => {
  const store = diskStore(folder)
  await store.put('a', { bytes: Buffer.from('bytes') })
  const log = new PassThrough()
  const app = fastify({ logger: { level: 'error', stream: log } })
  app.get('/:path', async (request, reply) => {
    const { path } = request.params as { path: string }
    const file = { path, type: 'text/plain', tag: '"a"', cacheControl: 'no-store' }
    if (!(await sendFile(request, reply, store, file))) throw new Problem('not_found')
    return reply
  })
  const statuses = [
    (await app.inject('/a')).statusCode,
    (await app.inject({ url: '/a', method: 'HEAD' })).statusCode,
    (await app.inject({ url: '/a', headers: { 'if-none-match': '"a"' } })).statusCode,
  ]
  await app.close()
  expect(statuses).toEqual([200, 200, 304])
  expect(String(log.read() ?? '')).toBe('')
})

test('the file is missing', async () => {
  const app = fastify()
  const file = { path: 'b', type: 'text/plain', tag: '"b"', cacheControl: 'no-store' }
  app.get('/', async (request, reply) => ({
    isSent: await sendFile(request, reply, diskStore(folder), file),
  }))
  expect((await app.inject('/')).json()).toEqual({ isSent: false })
  await app.close()
})
