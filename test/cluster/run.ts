import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Cluster,
  crashServices,
  failOver,
  freezeStandbys,
  primaryFaults,
  timedSwitchOver,
} from './faults.ts'
import { startLoad } from './load.ts'
import { isolatedNetwork, loopbackNetwork, mayIsolate, type Network, runIsolated } from './network.ts'
import { makeNode } from './nodes.ts'
import { installPackages } from './packages.ts'
import { whole } from './patroni.ts'
import { killAll } from './processes.ts'
import { makeReport } from './report.ts'
import { catalog } from './services.ts'
import { setUp } from './setup.ts'
import { countLosses, countRevokedTaken, failedChecks, shareLimit } from './verify.ts'

const { values: options } = parseArgs({
  options: {
    failovers: { type: 'string', default: '6' },
    switchovers: { type: 'string', default: '4' },
    writes: { type: 'string', default: '2000' },
    crashes: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
    inside: { type: 'string' },
  },
})
const began = performance.now()
const tell = (line: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`)

if (options.inside === undefined) {
  installPackages(tell)
  const isIsolated = mayIsolate()
  if (!isIsolated)
    console.log('not tested here: a primary that is cut off (no network namespaces for this user)')
  const root = mkdtempSync(join(tmpdir(), 'catalog-cluster-'))
  chmodSync(root, 0o755)
  process.once('exit', (code) => {
    if (code === 1) console.log(`the logs are in ${root}`)
    else rmSync(root, { recursive: true, force: true })
  })
  if (!isIsolated) await test(loopbackNetwork(), root)
  process.exit(await runIsolated([process.execPath, ...process.argv.slice(1), '--inside', root]))
} else await test(isolatedNetwork(), options.inside)

/** Sets all up, does all of it, and says what was seen. Nothing runs on afterwards. */
async function test(network: Network, root: string): Promise<never> {
  const nodes = [0, 1, 2].map((index) => makeNode(network, index, root))
  const end = async (code: number): Promise<never> => {
    for (const node of nodes) await node.stop()
    killAll()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130))
  try {
    const services = await setUp(network, nodes, root, tell)
    return await end(await harm({ network, nodes, services }, root))
  } catch (error) {
    console.error(error)
    return end(1)
  }
}

async function harm(made: Omit<Cluster, 'load'>, root: string): Promise<number> {
  const { id } = await catalog(root, 'project', 'create', '--name', 'Load', '--plan', 'enterprise')
  const { token } = await catalog(root, 'token', 'create', '--project', String(id))
  const load = await startLoad(token, 150)
  const cluster = { ...made, load }
  const report = makeReport(options.keep)
  const faults = primaryFaults(made.network)
  for (let turn = 0; turn < Number(options.failovers); turn += 1) {
    const fault = faults[turn % faults.length] as (typeof faults)[number]
    const seconds = await failOver(cluster, fault)
    tell(`primary ${fault.name}: ${seconds.toFixed(1)} s without a write`)
    report.time(`primary ${fault.name}`, seconds, 30)
  }
  for (let turn = 0; turn < Number(options.switchovers); turn += 1) {
    const seconds = await timedSwitchOver(cluster)
    tell(`switchover: ${seconds.toFixed(1)} s without a write`)
    report.time('switchover', seconds, 5)
  }
  const [acknowledged, seconds] = await freezeStandbys(cluster, 10)
  tell(
    `both standbys frozen for 10 s: ${acknowledged} writes acknowledged, writes again after ${seconds.toFixed(1)} s`,
  )
  report.count('acknowledged while both standbys were frozen', acknowledged, 0)
  report.refusals(load.refusals, /^(503 (?!by)|409 idempotency_in_flight)/)
  await whole(made.nodes)
  const crash = await crashServices(cluster, Number(options.crashes))
  tell(`services killed ${options.crashes} times: at most ${crash.toFixed(1)} s without a write`)
  while (load.acknowledged() < Number(options.writes))
    await new Promise((resolve) => setTimeout(resolve, 500))
  await load.stop()
  const { lost, doubled } = await countLosses(load)
  report.count('acknowledged writes lost', lost, 0)
  report.count('writes doubled', doubled, 0)
  report.count('answers that were neither a success nor to be repeated', load.unexpected.length, 0)
  for (const words of load.unexpected.slice(0, 5)) tell(`unexpected: ${words}`)
  report.count('services that took a revoked token', await countRevokedTaken(root, String(id)), 0)
  const { passed, allowed } = await shareLimit(root, 10)
  report.share('requests that three services let through in 10 s', passed, allowed, 0.15)
  const found = await failedChecks(root)
  report.count('checks of the doctor that are not ok', found.length, 0)
  for (const line of found) tell(line)
  return report.end(load.acknowledged(), (performance.now() - began) / 1000)
}
