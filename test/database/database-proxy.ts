import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { whenFileEnds } from '../setup/file-end.ts'

type Proxy = {
  /** `closed` closes connections immediately, as a proxy without a primary does. `silent` accepts them and sends nothing. */
  state: 'open' | 'closed' | 'silent'
  connections: number
}

/** A proxy on loopback that counts connections to the server. `listen` receives each client. */
export async function databaseProxy(server: pg.ClientConfig, listen: (client: Socket) => void = () => {}) {
  const proxy: Proxy = { state: 'open', connections: 0 }
  const clients = new Set<Socket>()
  const listener = createServer((client) => {
    proxy.connections += 1
    clients.add(client.on('error', () => {}).once('close', () => clients.delete(client)))
    if (proxy.state === 'open') {
      listen(client)
      forward(client, server)
    }
    if (proxy.state === 'closed') client.destroy()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const hangUp = () => {
    for (const client of clients) client.destroy()
  }
  whenFileEnds(() => {
    hangUp()
    listener.close()
  })
  const { port } = listener.address() as AddressInfo
  return { proxy, hangUp, connection: throughPort(server, port) }
}

function forward(
  client: Socket,
  { connectionString, host = 'localhost', port = 5432 }: pg.ClientConfig,
): void {
  const url = connectionString === undefined ? undefined : new URL(connectionString)
  const upstream = host.startsWith('/')
    ? connect(join(host, `.s.PGSQL.${port}`))
    : connect(Number(url?.port ?? port) || 5432, url?.hostname ?? host)
  upstream.on('error', () => {}).once('close', () => client.destroy())
  client.once('close', () => upstream.destroy())
  client.pipe(upstream).pipe(client)
}

function throughPort({ connectionString, ...rest }: pg.ClientConfig, port: number): pg.ClientConfig {
  if (connectionString === undefined) return { ...rest, host: '127.0.0.1', port }
  const url = new URL(connectionString)
  url.host = `127.0.0.1:${port}`
  return { ...rest, connectionString: url.href }
}
