import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../seeded-random.ts'
import type { Acknowledged, Body, Client } from './client.ts'
import type { Probe } from './probes.ts'
import type { Interval, Registers } from './registers.ts'

const registerOf = (id: number) => `version of product ${id}`

/** Products that all writers of a project change. Their versions are the order of the writes. */
export async function createSharedProducts(
  client: Client,
  registers: Registers,
  skus: string[],
  chance: Random,
) {
  const lines = skus.map((sku) => ({ sku, name: `${sku} first` }))
  const created = await client.write('POST', '/v2/products/bulk', lines)
  const ids: number[] = created?.body.results.map(({ id }: { id: number }) => id)
  for (const [place, id] of ids.entries())
    registers.write([[registerOf(id), 1, `${skus[place]} first`]], { start: 0, end: performance.now() })
  /** Acknowledged writes whose response has no version, by product and name or proposal. */
  const unversioned: { id: number; key: string; interval: Interval; isRequired: boolean }[] = []
  let turn = 0

  const at = (id: number) => `/v2/products/${id}`
  const record = (id: number, done: Acknowledged | undefined, name?: string) => {
    const version = done?.body?.version
    if (done === undefined) return
    if (version !== undefined) registers.write([[registerOf(id), version, done.body.name]], done.interval)
    // Without a response, the history shows whether and as which version it was written.
    else if (name !== undefined)
      unversioned.push({
        id,
        key: name,
        interval: done.interval,
        isRequired: done.interval.end < Number.POSITIVE_INFINITY,
      })
  }

  async function apply(id: number, proposal: number): Promise<void> {
    const done = await client.write('POST', `/v2/proposals/${proposal}/apply`)
    // It creates no version if another writer has made the same change.
    if (done?.body.state === 'applied')
      unversioned.push({ id, key: `proposal ${proposal}`, interval: done.interval, isRequired: false })
  }

  /** Applies a proposal and reverts it. */
  async function propose(id: number, sku: string, name: string): Promise<void> {
    const proposed = await client.write('POST', '/v2/proposals', [{ sku, name }])
    const proposal = proposed?.body.id
    if (proposal === undefined) return
    await apply(id, proposal)
    const undone = await client.write('POST', `/v2/proposals/${proposal}/revert`)
    for (let state = undone?.body.state; state !== undefined; await sleep(20)) {
      if (state !== 'preparing') return apply(id, undone?.body.id)
      state = (await client.read(`/v2/proposals/${undone?.body.id}`, {}))?.response.body.state ?? state
    }
  }

  const kinds: ((id: number, sku: string, name: string) => Promise<void>)[] = [
    async (id, _sku, name) => record(id, await client.writeOnce('PATCH', at(id), { name }), name),
    async (id, sku, name) => record(id, await client.writeOnce('PUT', at(id), { sku, name }), name),
    async (id, sku, name) =>
      record(id, await client.writeOnce('POST', '/v2/products/bulk', [{ sku, name }]), name),
    // It changes nothing if the product already equals version 1, so the response counts as a read.
    async (id) => {
      const done = await client.writeOnce('POST', `${at(id)}/revert`, { version: 1 })
      if (done?.body !== undefined)
        registers.read([[registerOf(id), done.body.version, done.body.name]], done.interval)
    },
    propose,
  ]

  return {
    probes: ids.map(
      (id): Probe => ({
        path: `products/${id}`,
        observe: ({ version, name }: Body) => [[registerOf(id), version, name]],
      }),
    ),
    async write(): Promise<void> {
      turn += 1
      const place = chance.between(0, ids.length - 1)
      const sku = skus[place] as string
      await chance.pick(kinds)(ids[place] as number, sku, `${sku} ${turn}`)
    },
    /** Completes the histories from the database. Returns acknowledged writes that it does not contain. */
    async complete(): Promise<string[]> {
      const lost: string[] = []
      for (const id of ids) {
        const versions = await readVersions(client, id)
        for (const { key, interval, isRequired } of unversioned.filter((one) => one.id === id)) {
          const found = versions.find((one) => one.key === key)
          if (found !== undefined) registers.write([[registerOf(id), found.version, found.name]], interval)
          else if (isRequired) lost.push(`${key} of product ${id}`)
        }
        registers.allow(versions.map(({ version, name }) => [registerOf(id), version, name]))
      }
      return lost
    },
  }
}

type Version = { version: number; name: string; key: string }

async function readVersions(client: Client, id: number): Promise<Version[]> {
  const versions: Version[] = []
  for (let page = 1; ; page += 1) {
    const found = await client.read(`/v2/products/${id}/history?page_size=500&page=${page}`, {})
    for (const { version, after, proposal } of found?.response.body.results ?? [])
      versions.push({
        version,
        name: after.name,
        key: proposal === null ? after.name : `proposal ${proposal}`,
      })
    if (found !== undefined && found.response.body.next === null) return versions
    if (found === undefined) page -= 1
  }
}
