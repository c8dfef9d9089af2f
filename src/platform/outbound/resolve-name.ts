import dns, { type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { limitConcurrency } from '../scheduling/concurrency-limit.ts'

const patience = { timeout: 2_000, tries: 2 }
const systemLookups = { most: 1, patienceSeconds: 10, maxWaiting: 100 }

/**
 * Finds the addresses of a name by its name servers. The system's own way would keep a thread of the pool that passwords and
 * compression need too, for as long as the name servers of somebody's receiver please; it is left for names of inner networks, one
 * at a time.
 */
export function nameLookup(knowsInnerNames: boolean): LookupFunction {
  const resolver = new dns.promises.Resolver(patience)
  const turns = limitConcurrency(systemLookups)

  async function find(name: string): Promise<LookupAddress[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
    if (found.length > 0) return found
    const { reason } = four as PromiseRejectedResult
    const isUnknown = ['ENOTFOUND', 'ENODATA'].includes(reason.code)
    if (!knowsInnerNames || !isUnknown) throw reason
    return turns.run(() => dns.promises.lookup(name, { all: true }))
  }

  return (name, { all }, done) => {
    find(name).then(
      (found) => (all === true ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
      (error) => done(error, ''),
    )
  }
}

function addressesOf(answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
}
