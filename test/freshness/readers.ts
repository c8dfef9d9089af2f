import type { Random } from '../seeded-random.ts'
import type { Body, Client } from './client.ts'
import type { Probe } from './probes.ts'
import type { Registers } from './registers.ts'

export type Readable = { client: Client; probes: Probe[] }

const prefixes = ['/v2/', '/api/']
/** Often the plain form, which any other client can have stored before. */
const encodings = ['identity', 'identity', 'gzip']
const conditionalShare = 0.3

/** Reads what the writers change, from any service, until it is told to stop. */
export function startReaders(
  shops: readonly Readable[],
  registers: Registers,
  chance: Random,
  count: number,
) {
  let isStopped = false
  let reads = 0
  let unchanged = 0

  async function readOnce(tags: Map<string, { tag: string; body: Body }>): Promise<void> {
    const { client, probes } = chance.pick(shops)
    const { path, observe } = chance.pick(probes)
    const address = chance.pick(prefixes) + path
    const known = chance.chance(conditionalShare) ? tags.get(address) : undefined
    const found = await client.read(address, {
      'accept-encoding': chance.pick(encodings),
      ...(known && { 'if-none-match': known.tag }),
    })
    if (found === undefined) return
    const { response, interval } = found
    // 304 confirms the content that the client has.
    const body = response.status === 304 ? known?.body : response.body
    if (response.status === 304) unchanged += 1
    const tag = response.headers.get('etag')
    if (tag !== null) tags.set(address, { tag, body })
    try {
      registers.read(observe(body), interval)
    } catch {
      client.rejected.push(`${interval.at}: ${JSON.stringify(body)}`)
    }
    reads += 1
  }

  const ended = Promise.all(
    Array.from({ length: count }, async () => {
      const tags = new Map<string, { tag: string; body: Body }>()
      while (!isStopped) await readOnce(tags)
    }),
  )
  return {
    reads: () => reads,
    unchanged: () => unchanged,
    async stop(): Promise<void> {
      isStopped = true
      await ended
    },
  }
}
