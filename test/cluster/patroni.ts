import type { Node } from './nodes.ts'
import { until } from './processes.ts'

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

/** The cluster members that a node reports. */
async function membersBy({ address }: Node): Promise<Member[]> {
  const response = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
  return ((await response.json()) as { members: Member[] }).members
}

async function isPrimary({ address }: Node): Promise<boolean> {
  const signal = AbortSignal.timeout(1_500)
  return fetch(`http://${address}:8008/primary`, { signal }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** The primary, other than the given node. */
export async function findPrimary(nodes: Node[], other?: Node): Promise<Node | undefined> {
  const others = nodes.filter((node) => node !== other)
  const responses = await Promise.all(others.map(isPrimary))
  return others.find((_, index) => responses[index])
}

/**
 * Waits until all nodes run and both standbys follow the primary on its timeline. Returns the primary and the synchronous standby. A
 * node that has restarted but does not follow yet counts as lost.
 */
export function healthyCluster(nodes: Node[], seconds = 180): Promise<{ primary: Node; standby: Node }> {
  return until('a healthy cluster', seconds, async () => {
    const primary = await findPrimary(nodes)
    if (primary === undefined) return undefined
    const members = await membersBy(primary)
    const timeline = members.find(({ role }) => role === 'leader')?.timeline
    const healthy = members.filter(
      (member) =>
        ['running', 'streaming'].includes(member.state) &&
        member.timeline === timeline &&
        (member.role === 'leader' || member.lag === 0),
    )
    const sync = members.find(({ role }) => role === 'sync_standby')
    const standby = nodes.find(({ name }) => name === sync?.name)
    return healthy.length === nodes.length && standby !== undefined ? { primary, standby } : undefined
  })
}

export async function switchOver(primary: Node, candidate: Node): Promise<void> {
  const response = await fetch(`http://${primary.address}:8008/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: primary.name, candidate: candidate.name }),
  })
  if (response.status !== 200) throw new Error(`switchover: ${response.status} ${await response.text()}`)
}
