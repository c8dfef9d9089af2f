import dns, { type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { outboundLimits } from '../limits/network.ts'
import { limitConcurrency } from '../scheduling/concurrency-limit.ts'

const { resolveMilliseconds, resolveAttempts } = outboundLimits
const systemLookups = {
  most: outboundLimits.systemResolutions,
  maxWaitSeconds: outboundLimits.resolutionWaitSeconds,
  maxWaiting: outboundLimits.waitingResolutions,
}

/**
 * Resolves a name through DNS. The system resolver blocks a thread of the pool that passwords and compression also need, for
 * as long as a slow name server takes. It is used only for names in private networks, one at a time.
 */
export function resolveNames(allowsPrivateNames: boolean): LookupFunction {
  const resolver = new dns.promises.Resolver({ timeout: resolveMilliseconds, tries: resolveAttempts })
  const turns = limitConcurrency(systemLookups)

  async function find(name: string): Promise<LookupAddress[]> {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = [...addressesOf(four, 4), ...addressesOf(six, 6)]
    if (found.length > 0) return found
    const { reason } = four as PromiseRejectedResult
    const isUnknown = ['ENOTFOUND', 'ENODATA'].includes(reason.code)
    if (!allowsPrivateNames || !isUnknown) throw reason
    return turns.run(() => dns.promises.lookup(name, { all: true }))
  }

  return (name, { all }, done) => {
    find(name).then(
      (found) => (all === true ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family)),
      (error) => done(error, ''),
    )
  }
}

function addressesOf(result: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] {
  return result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
}
