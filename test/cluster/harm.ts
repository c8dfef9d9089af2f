import {
  type Cluster,
  crashService,
  failOver,
  freezeStandbys,
  primaryFaults,
  timedSwitchOver,
} from './faults.ts'
import type { Load } from './load.ts'
import { healthyCluster } from './patroni.ts'
import { until } from './processes.ts'
import type { Report } from './report.ts'
import { countLosses, countRevokedAccepted, failedChecks, measureSharedLimit } from './verify.ts'

export type Amounts = { failovers: number; switchovers: number; crashes: number; writes: number }

type Log = (line: string) => void

const frozenSeconds = 10
const limitedSeconds = 10
/** Error responses that clients may get; none come from the proxy while all services run. */
const allowedRejections = /^(503 (?!by the proxy)|409 idempotency_in_flight)/

export async function harmDatabase(
  cluster: Cluster,
  { failovers, switchovers }: Amounts,
  report: Report,
  log: Log,
): Promise<void> {
  const faults = primaryFaults(cluster.network)
  for (let turn = 0; turn < failovers; turn += 1) {
    const fault = faults[turn % faults.length] as (typeof faults)[number]
    const seconds = await failOver(cluster, fault)
    log(`primary ${fault.name}: ${seconds.toFixed(1)} s without a write`)
    report.time(`primary ${fault.name}`, seconds, 30)
  }
  for (let turn = 0; turn < switchovers; turn += 1) {
    const seconds = await timedSwitchOver(cluster)
    log(`switchover: ${seconds.toFixed(1)} s without a write`)
    report.time('switchover', seconds, 5)
  }
  const [acknowledged, seconds] = await freezeStandbys(cluster, frozenSeconds)
  log(`both standbys frozen: ${acknowledged} writes acknowledged, again after ${seconds.toFixed(1)} s`)
  report.count(`acknowledged while both standbys were frozen for ${frozenSeconds} s`, acknowledged, 0)
  report.rejections(cluster.load.rejections, allowedRejections)
  await healthyCluster(cluster.nodes)
}

/** Kills services, and continues the load until the number of writes is reached. */
export async function harmServices(
  cluster: Cluster,
  { crashes, writes }: Amounts,
  report: Report,
  log: Log,
): Promise<void> {
  for (let turn = 0; turn < crashes; turn += 1) {
    const seconds = await crashService(cluster)
    log(`a service killed: ${seconds.toFixed(1)} s without a write`)
    report.time('one of three services killed', seconds, 5)
  }
  await until(`${writes} writes`, 3_600, async () => cluster.load.acknowledged() >= writes)
  await cluster.load.stop()
}

/** Compares the stored data with the responses that clients received. */
export async function checkResults(
  load: Load,
  root: string,
  project: string,
  report: Report,
  log: Log,
): Promise<void> {
  const { lost, duplicated } = await countLosses(load)
  report.count('acknowledged writes lost', lost, 0)
  report.count('writes duplicated', duplicated, 0)
  report.count('responses that were neither a success nor retryable', load.unexpected.length, 0)
  for (const words of load.unexpected.slice(0, 5)) log(`unexpected: ${words}`)
  report.count('services that accepted a revoked token', await countRevokedAccepted(root, project), 0)
  const { passed, allowed } = await measureSharedLimit(root, limitedSeconds)
  report.share(`requests that three services accepted in ${limitedSeconds} s`, passed, allowed, 0.15)
  const found = await failedChecks(root)
  report.count('doctor checks that are not ok', found.length, 0)
  for (const line of found) log(line)
}
