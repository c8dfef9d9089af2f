import type { Random } from '../../seeded-random.ts'
import type { Acknowledged, Body, Client } from '../client.ts'
import type { Probe } from '../probes.ts'
import type { Interval, Registers } from '../registers.ts'
import { stateOf } from '../row-states.ts'
import { applyPrepared } from './proposals.ts'
import { readVersions } from './read-versions.ts'

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

  async function apply(id: number, created: Acknowledged | undefined): Promise<number | undefined> {
    const done = await applyPrepared(client, created)
    if (done === undefined) return undefined
    const { proposal, interval } = done
    // It creates no version if another writer has made the same change.
    unversioned.push({ id, key: `proposal ${proposal}`, interval, isRequired: false })
    return proposal
  }

  /** Applies a proposal and reverts it. */
  async function propose(id: number, sku: string, name: string): Promise<void> {
    const proposal = await apply(id, await client.write('POST', '/v2/proposals', [{ sku, name }]))
    if (proposal !== undefined)
      await apply(id, await client.write('POST', `/v2/proposals/${proposal}/revert`))
  }

  const kinds: Record<string, (id: number, sku: string, name: string) => Promise<void>> = {
    update: async (id, _sku, name) => record(id, await client.writeOnce('PATCH', at(id), { name }), name),
    updateInConsole: async (id, _sku, name) =>
      record(id, await client.writeOnce('PATCH', `${client.consolePath}products/${id}`, { name }), name),
    replaceShared: async (id, sku, name) =>
      record(id, await client.writeOnce('PUT', at(id), { sku, name }), name),
    pushShared: async (id, sku, name) =>
      record(id, await client.writeOnce('POST', '/v2/products/bulk', [{ sku, name }]), name),
    // It changes nothing if the product already equals version 1, so the response counts as a read.
    revert: async (id) => {
      const done = await client.writeOnce('POST', `${at(id)}/revert`, { version: 1 })
      if (done?.body !== undefined)
        registers.read([[registerOf(id), done.body.version, done.body.name]], done.interval)
    },
    propose,
  }

  return {
    ids,
    probes: ids.map(
      (id): Probe => ({
        path: `products/${id}`,
        observe: (body: Body) => [[registerOf(id), body.version, body.name], stateOf(body)],
      }),
    ),
    /** Returns the kind of the write. */
    async write(): Promise<string> {
      turn += 1
      const place = chance.between(0, ids.length - 1)
      const sku = skus[place] as string
      const [kind, step] = chance.pick(Object.entries(kinds))
      await step(ids[place] as number, sku, `${sku} ${turn}`)
      return kind
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
