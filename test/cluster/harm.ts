import {
  type Cluster,
  crashService,
  failOver,
  freezeStandbys,
  primaryFaults,
  timedSwitchOver,
} from './faults.ts'
import type { Load } from './load.ts'
import { whole } from './patroni.ts'
import { until } from './processes.ts'
import type { Report } from './report.ts'
import { countLosses, countRevokedTaken, failedChecks, shareLimit } from './verify.ts'

export type Amounts = { failovers: number; switchovers: number; crashes: number; writes: number }

type Tell = (line: string) => void

const frozenSeconds = 10
const limitedSeconds = 10
/** What a client may be told meanwhile; the proxy has nothing to say while all services run. */
const allowedRefusals = /^(503 (?!by the proxy)|409 idempotency_in_flight)/

export async function harmDatabase(
  cluster: Cluster,
  { failovers, switchovers }: Amounts,
  report: Report,
  tell: Tell,
): Promise<void> {
  const faults = primaryFaults(cluster.network)
  for (let turn = 0; turn < failovers; turn += 1) {
    const fault = faults[turn % faults.length] as (typeof faults)[number]
    const seconds = await failOver(cluster, fault)
    tell(`primary ${fault.name}: ${seconds.toFixed(1)} s without a write`)
    report.time(`primary ${fault.name}`, seconds, 30)
  }
  for (let turn = 0; turn < switchovers; turn += 1) {
    const seconds = await timedSwitchOver(cluster)
    tell(`switchover: ${seconds.toFixed(1)} s without a write`)
    report.time('switchover', seconds, 5)
  }
  const [acknowledged, seconds] = await freezeStandbys(cluster, frozenSeconds)
  tell(`both standbys frozen: ${acknowledged} writes acknowledged, again after ${seconds.toFixed(1)} s`)
  report.count(`acknowledged while both standbys were frozen for ${frozenSeconds} s`, acknowledged, 0)
  report.refusals(cluster.load.refusals, allowedRefusals)
  await whole(cluster.nodes)
}

/** Kills services, and lets the load go on until there were as many writes as wanted. */
export async function harmServices(
  cluster: Cluster,
  { crashes, writes }: Amounts,
  report: Report,
  tell: Tell,
): Promise<void> {
  for (let turn = 0; turn < crashes; turn += 1) {
    const seconds = await crashService(cluster)
    tell(`a service killed: ${seconds.toFixed(1)} s without a write`)
    report.time('one of three services killed', seconds, 5)
  }
  await until(`${writes} writes`, 3_600, async () => cluster.load.acknowledged() >= writes)
  await cluster.load.stop()
}

/** Holds what is there against what clients were told. */
export async function judge(
  load: Load,
  root: string,
  project: string,
  report: Report,
  tell: Tell,
): Promise<void> {
  const { lost, doubled } = await countLosses(load)
  report.count('acknowledged writes lost', lost, 0)
  report.count('writes duplicated', doubled, 0)
  report.count('responses that were neither a success nor retryable', load.unexpected.length, 0)
  for (const words of load.unexpected.slice(0, 5)) tell(`unexpected: ${words}`)
  report.count('services that accepted a revoked token', await countRevokedTaken(root, project), 0)
  const { passed, allowed } = await shareLimit(root, limitedSeconds)
  report.share(`requests that three services accepted in ${limitedSeconds} s`, passed, allowed, 0.15)
  const found = await failedChecks(root)
  report.count('doctor checks that are not ok', found.length, 0)
  for (const line of found) tell(line)
}
