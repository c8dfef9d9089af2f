import { setTimeout as sleep } from 'node:timers/promises'
import type { Load } from './load.ts'
import type { Network } from './network.ts'
import type { Node } from './nodes.ts'
import { findPrimary, healthyCluster, switchOver } from './patroni.ts'
import { until } from './processes.ts'
import type { Services } from './services.ts'

type Fault = { name: string; begin(node: Node): Promise<void> | void; heal(node: Node): void }

export type Cluster = { nodes: Node[]; network: Network; services: Services; load: Load }

/** Faults of a primary, and how it recovers. */
export function primaryFaults({ plug }: Network): Fault[] {
  const faults: Fault[] = [
    { name: 'killed', begin: (node) => node.killServer(), heal: (node) => node.startPatroni() },
    { name: 'frozen', begin: (node) => node.freeze(), heal: (node) => node.thaw() },
  ]
  if (plug !== undefined)
    faults.push({
      name: 'cut off',
      begin: (node) => plug(node.index, false),
      heal: (node) => plug(node.index, true),
    })
  return faults
}

/** Causes the fault, waits until another primary accepts writes, and ends the fault. Returns the seconds without a write. */
export async function failOver({ nodes, load }: Cluster, fault: Fault): Promise<number> {
  const { primary } = await healthyCluster(nodes)
  const began = performance.now()
  await fault.begin(primary)
  try {
    await until(`another primary than ${primary.name}`, 90, async () => findPrimary(nodes, primary))
    const promoted = performance.now()
    await until('writes', 60, async () => load.acknowledgedAfter(promoted) >= 24)
    return load.longestGap(began)
  } finally {
    fault.heal(primary)
  }
}

export async function timedSwitchOver({ nodes, load }: Cluster): Promise<number> {
  const { primary, standby } = await healthyCluster(nodes)
  const began = performance.now()
  await switchOver(primary, standby)
  await until('the switchover', 60, async () => (await findPrimary(nodes, primary)) === standby)
  const promoted = performance.now()
  await until('writes', 60, async () => load.acknowledgedAfter(promoted) >= 24)
  return load.longestGap(began)
}

/** The number of acknowledged writes while no standby responds, and the seconds until writes succeed after that. */
export async function freezeStandbys({ nodes, load }: Cluster, seconds: number): Promise<[number, number]> {
  const { primary } = await healthyCluster(nodes)
  const standbys = nodes.filter((node) => node !== primary)
  for (const node of standbys) node.freeze()
  // Waits for acknowledgments that were in flight.
  await sleep(1_000)
  const began = performance.now()
  await sleep(seconds * 1000)
  const acknowledged = load.acknowledgedAfter(began)
  const thawed = performance.now()
  for (const node of standbys) node.thaw()
  await until('writes', 120, async () => load.acknowledgedAfter(thawed) >= 24)
  return [acknowledged, (performance.now() - thawed) / 1000]
}

/** Kills one of the services, and returns the longest time without a write until it serves again. */
export async function crashService({ services, load }: Cluster): Promise<number> {
  const began = performance.now()
  await services.crash(Math.floor(Math.random() * 3))
  return load.longestGap(began)
}
