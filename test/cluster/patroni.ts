import type { Node } from './nodes.ts'
import { until } from './processes.ts'

type Member = { name: string; role: string; state: string; timeline?: number; lag?: number | string }

/** What a node says of the cluster. */
async function membersBy({ address }: Node): Promise<Member[]> {
  const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(2_000) })
  return ((await answer.json()) as { members: Member[] }).members
}

async function isPrimary({ address }: Node): Promise<boolean> {
  const signal = AbortSignal.timeout(1_500)
  return fetch(`http://${address}:8008/primary`, { signal }).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** The node that is primary, other than the one that is named. */
export async function findPrimary(nodes: Node[], other?: Node): Promise<Node | undefined> {
  const others = nodes.filter((node) => node !== other)
  const answers = await Promise.all(others.map(isPrimary))
  return others.find((_, index) => answers[index])
}

/**
 * All three run, both standbys follow the primary on its timeline, and one of them is the synchronous one. Returns the primary and that
 * one. A node that has just come back, and does not follow yet, is one that is still lost.
 */
export function whole(nodes: Node[], seconds = 180): Promise<{ primary: Node; standby: Node }> {
  return until('a whole cluster', seconds, async () => {
    const primary = await findPrimary(nodes)
    if (primary === undefined) return undefined
    const members = await membersBy(primary)
    const timeline = members.find(({ role }) => role === 'leader')?.timeline
    const fine = members.filter(
      (member) =>
        ['running', 'streaming'].includes(member.state) &&
        member.timeline === timeline &&
        (member.role === 'leader' || member.lag === 0),
    )
    const sync = members.find(({ role }) => role === 'sync_standby')
    const standby = nodes.find(({ name }) => name === sync?.name)
    return fine.length === nodes.length && standby !== undefined ? { primary, standby } : undefined
  })
}

export async function switchOver(primary: Node, candidate: Node): Promise<void> {
  const answer = await fetch(`http://${primary.address}:8008/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: primary.name, candidate: candidate.name }),
  })
  if (answer.status !== 200) throw new Error(`switchover: ${answer.status} ${await answer.text()}`)
}
