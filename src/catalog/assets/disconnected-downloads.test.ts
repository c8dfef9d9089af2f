import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { ownDatabase } from '../../../test/database/test-database.ts'
import { startTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { pdfOf, uploaded } from '../../../test/media/upload.ts'
import { assetLimits } from '../../model/limits/assets.ts'

let service: TestService
let shop: Tenant
beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('disconnected_downloads'))
  shop = await service.tenant()
})

/** Sends many requests that wait for the database, disconnects them, and then lets the database respond. */
async function disconnectWhileWaiting(path: string, count: number): Promise<void> {
  const { hostname, port } = new URL(service.url)
  const sockets: Socket[] = []
  await service.database.transaction(async (tx) => {
    await tx.script('lock table assets in access exclusive mode')
    for (let index = 0; index < count; index += 1) {
      const socket = connect(Number(port), hostname).on('error', () => {})
      socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\n\r\n`)
      sockets.push(socket)
    }
    await setTimeout(500)
    for (const socket of sockets) socket.destroy()
    // Until the service has noticed.
    await setTimeout(200)
  })
  await setTimeout(200)
}

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

test('clients that disconnect before their download begins leave no slot and no timer behind', {
  tags: 'slow',
}, async () => {
  const { url } = await uploaded(shop, pdfOf(4_000), 'application/pdf')
  const { pathname } = new URL(url)
  expect((await service.call(pathname)).status).toBe(200)
  const before = timers()
  await disconnectWhileWaiting(pathname, assetLimits.downloadsOfProject + 20)
  expect((await service.call(pathname)).status).toBe(200)
  await expect.poll(timers).toBeLessThan(before + 20)
})
