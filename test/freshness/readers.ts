import type { Random } from '../seeded-random.ts'
import type { Body, Client } from './client.ts'
import type { Probe } from './probes.ts'
import type { Registers } from './registers.ts'

/** Reads that show what one writer changes, or the shared products of a project. */
export type Group = { client: Client; probes: Probe[] }

const prefixes = ['/v2/', '/v2/', '/api/']
/** Often the plain form, which any other client can have stored before. */
const encodings = ['identity', 'identity', 'gzip']
const conditionalShare = 0.3
/** Errors are most likely right after a write. */
const recentShare = 0.5
const recentGroups = 4

/** Reads what the writers change, from any service, until it is told to stop. */
export function startReaders(groups: readonly Group[], registers: Registers, chance: Random, count: number) {
  let isStopped = false
  let reads = 0
  let unchanged = 0
  const recent: Group[] = []

  async function readOnce(tags: Map<string, { tag: string; body: Body }>): Promise<void> {
    const isRecent = recent.length > 0 && chance.chance(recentShare)
    const { client, probes } = chance.pick(isRecent ? recent : groups)
    // The first ones more often, so that many requests repeat one that is stored.
    const { path, observe } = probes[chance.between(0, chance.between(0, probes.length - 1))] as Probe
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
    /** Something of the group has just been written. */
    note(group: Group): void {
      recent.push(group)
      if (recent.length > recentGroups) recent.shift()
    },
    async stop(): Promise<void> {
      isStopped = true
      await ended
    },
  }
}
