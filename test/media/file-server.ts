import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { ensureSelfSigned } from '../../src/platform/http/tls/self-signed.ts'
import { whenFileEnds } from '../setup/file-end.ts'
import { createFolder } from '../setup/temporary-folder.ts'

type Handlers = Record<string, (response: ServerResponse) => void>

export type FileServer = Awaited<ReturnType<typeof startFileServer>>

/** An https server on loopback, and the settings with which a service fetches from it. All other paths return 404. */
export async function startFileServer(handlers: Handlers) {
  const folder = createFolder()
  const files = await ensureSelfSigned(folder)
  const tls = { cert: readFileSync(files.cert), key: readFileSync(files.key) }
  rmSync(folder, { recursive: true })
  const server = createServer(tls, ({ url = '' }, response) => {
    const handle = handlers[url]
    if (handle === undefined) response.writeHead(404).end('secret text')
    else handle(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenFileEnds(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fetching: { allow: ['127.0.0.0/8'], ca: tls.cert.toString() },
  }
}
