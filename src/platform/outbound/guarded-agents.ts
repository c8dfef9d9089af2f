import type { AgentOptions, ClientRequest, Agent as PlainAgent } from 'node:http'
import https from 'node:https'
import net, { type BlockList } from 'node:net'
import type { Duplex } from 'node:stream'
import { http } from '../http/node-http.ts'
import { outboundLimits } from '../limits/network.ts'
import type { DialRules } from './check-address.ts'

/** The caller limits the number of open connections. */
const options = {
  keepAlive: true,
  maxFreeSockets: outboundLimits.idlePerHost,
  timeout: outboundLimits.idleMilliseconds,
}

export type GuardedAgents = { https: https.Agent; http: PlainAgent | undefined; destroy(): void }

/** Agents that check the address when they connect, regardless of what its name resolved to before. */
export function guardedAgents(rules: DialRules): GuardedAgents {
  const agents = {
    https: new GuardedHttpsAgent(rules.https),
    http: rules.http && new http.Agent(plainOptions(rules.http)),
  }
  return {
    ...agents,
    destroy() {
      agents.https.destroy()
      agents.http?.destroy()
    },
  }
}

/** Closes the connections that were idle longest. With Node's limit, an attempt would wait until an idle connection ends. */
export function limitIdleSockets({ freeSockets }: PlainAgent): void {
  const idle = Object.values(freeSockets).flatMap((sockets = []) => sockets)
  for (const socket of idle.slice(0, Math.max(0, idle.length - outboundLimits.idle))) socket.destroy()
}

/** Node's types do not include the block list of an agent. */
function plainOptions(blockList: BlockList): AgentOptions {
  const guarded = { ...options, blockList }
  return guarded
}

/** Node's https.Agent accepts a block list but ignores it, so the connection below TLS is opened here. */
class GuardedHttpsAgent extends https.Agent {
  readonly #blockList: BlockList

  constructor(blockList: BlockList) {
    super(options)
    this.#blockList = blockList
  }

  override createConnection(
    place: https.RequestOptions,
    done: (error: Error | null, socket: Duplex) => void = () => {},
  ): undefined {
    const socket = net.connect({ ...(place as net.TcpNetConnectOpts), blockList: this.#blockList })
    socket.setTimeout(outboundLimits.connectMilliseconds, () =>
      socket.destroy(new Error('connection timed out')),
    )
    const fail = (error: Error) => done(error, socket)
    socket.once('error', fail)
    socket.once('connect', () => {
      socket.setTimeout(0).removeAllListeners('timeout').off('error', fail)
      done(null, super.createConnection({ ...place, socket } as https.RequestOptions) as Duplex)
    })
  }
}

/** Whether both agents refuse to connect to this machine, by its address and by a name that resolves to it. */
export async function refusesLoopback(rules: DialRules): Promise<boolean> {
  const agents = guardedAgents(rules)
  const server = net.createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as net.AddressInfo
  const lookup: net.LookupFunction = (_name, { all }, found) =>
    all === true ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4)
  try {
    const places = [{ host: '127.0.0.1' }, { host: 'name.invalid', lookup }]
    const tries = places.flatMap((place) => [
      refuses(https.request({ ...place, port, agent: agents.https })),
      ...(agents.http === undefined ? [] : [refuses(http.request({ ...place, port, agent: agents.http }))]),
    ])
    return (await Promise.all(tries)).every(Boolean)
  } finally {
    agents.destroy()
    server.close()
  }
}

function refuses(request: ClientRequest): Promise<boolean> {
  return new Promise((resolve) => {
    request.once('error', (error) => resolve(isBlocked(error))).once('response', () => resolve(false))
    request.end()
  })
}

export function isBlocked(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ERR_IP_BLOCKED'
}
