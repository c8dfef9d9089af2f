import { setTimeout as sleep } from 'node:timers/promises'
import { type Acknowledged, type Client, retryMilliseconds } from '../client.ts'

/** Applies a proposal when it is prepared. */
export async function applyPrepared(
  client: Client,
  created: Acknowledged | undefined,
): Promise<(Acknowledged & { proposal: number }) | undefined> {
  if (created === undefined) return undefined
  const proposal: number = created.body.id
  for (let { state } = created.body; state === 'preparing'; await sleep(retryMilliseconds))
    state = (await client.read(`/v2/proposals/${proposal}`))?.response.body.state ?? state
  const done = await client.write('POST', `/v2/proposals/${proposal}/apply`)
  return done?.body.state === 'applied' ? { ...done, proposal } : undefined
}
