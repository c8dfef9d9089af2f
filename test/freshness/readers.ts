import type { Random } from '../seeded-random.ts'
import type { Body, Client } from './client.ts'
import type { Probe } from './probes.ts'
import type { Registers } from './registers.ts'

/** Reads that show what one writer changes, or the shared products of a project. */
export type Group = { client: Client; probes: (Probe | (() => Probe))[] }

const surfaces = ['v2', 'v2', 'api', 'console'] as const
/** Often the plain form, which any other client can have stored before. */
const encodings = ['identity', 'identity', 'identity', 'gzip']
const conditionalShare = 0.4
/** Errors are most likely right after a write. */
const recentShare = 0.5
const recentGroups = 4

/** Reads what the writers change, from any service, until the load stops. Each reader has the session of a console user. */
export function startReaders(
  groups: readonly Group[],
  registers: Registers,
  chance: Random,
  cookies: readonly string[],
) {
  let isStopped = false
  let reads = 0
  let unchanged = 0
  const recent: Group[] = []

  function choose(): Probe & { client: Client; address: string; isConsole: boolean } {
    const isRecent = recent.length > 0 && chance.chance(recentShare)
    const { client, probes } = chance.pick(isRecent ? recent : groups)
    // The first ones more often, so that many requests repeat one that is stored.
    const chosen = probes[chance.between(0, chance.between(0, probes.length - 1))] as Group['probes'][number]
    const probe = typeof chosen === 'function' ? chosen() : chosen
    const surface = chance.pick(surfaces)
    const isConsole = surface === 'console'
    return {
      ...probe,
      client,
      address: (isConsole ? client.consolePath : `/${surface}/`) + probe.path,
      isConsole,
    }
  }

  async function readOnce(cookie: string, tags: Map<string, { tag: string; body: Body }>): Promise<void> {
    const { client, address, isConsole, observe, isRemovable = false } = choose()
    const known = chance.chance(conditionalShare) ? tags.get(address) : undefined
    const headers = {
      ...(isConsole && { cookie }),
      'accept-encoding': chance.pick(encodings),
      ...(known && { 'if-none-match': known.tag }),
    }
    const found = await client.read(address, headers, isRemovable ? [200, 304, 404] : undefined)
    if (found === undefined) return
    const { response, interval } = found
    // 304 confirms the content that the client has.
    const body = response.status === 304 ? known?.body : response.status === 200 ? response.body : undefined
    if (response.status === 304) unchanged += 1
    const tag = response.headers.get('etag')
    if (tag !== null && body !== undefined) tags.set(address, { tag, body })
    try {
      registers.read(observe(body), interval)
    } catch {
      client.rejected.push(`${interval.at}: ${JSON.stringify(body)}`)
    }
    reads += 1
  }

  const ended = Promise.all(
    cookies.map(async (cookie) => {
      const tags = new Map<string, { tag: string; body: Body }>()
      while (!isStopped) await readOnce(cookie, tags)
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
