import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { whenFileEnds } from '../setup/file-end.ts'

type Door = {
  /** `shut` hangs up at once, as a proxy does that knows no primary; `mute` takes everybody in and says nothing. */
  state: 'open' | 'shut' | 'mute'
  came: number
}

/** A port of our own that leads to the server, and counts who comes. Whoever likes may listen to what they say. */
export async function databaseDoor(server: pg.ClientConfig, listen: (client: Socket) => void = () => {}) {
  const door: Door = { state: 'open', came: 0 }
  const inside = new Set<Socket>()
  const listener = createServer((client) => {
    door.came += 1
    inside.add(client.on('error', () => {}).once('close', () => inside.delete(client)))
    if (door.state === 'open') {
      listen(client)
      leadIn(client, server)
    }
    if (door.state === 'shut') client.destroy()
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const hangUp = () => {
    for (const client of inside) client.destroy()
  }
  whenFileEnds(() => {
    hangUp()
    listener.close()
  })
  const { port } = listener.address() as AddressInfo
  return { door, hangUp, connection: throughPort(server, port) }
}

function leadIn(
  client: Socket,
  { connectionString, host = 'localhost', port = 5432 }: pg.ClientConfig,
): void {
  const url = connectionString === undefined ? undefined : new URL(connectionString)
  const way = host.startsWith('/')
    ? connect(join(host, `.s.PGSQL.${port}`))
    : connect(Number(url?.port ?? port) || 5432, url?.hostname ?? host)
  way.on('error', () => {}).once('close', () => client.destroy())
  client.once('close', () => way.destroy())
  client.pipe(way).pipe(client)
}

function throughPort({ connectionString, ...rest }: pg.ClientConfig, port: number): pg.ClientConfig {
  if (connectionString === undefined) return { ...rest, host: '127.0.0.1', port }
  const url = new URL(connectionString)
  url.host = `127.0.0.1:${port}`
  return { ...rest, connectionString: url.href }
}
