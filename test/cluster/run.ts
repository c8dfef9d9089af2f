import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runBuild } from '../../scripts/build/run-build.ts'
import type { Cluster } from './faults.ts'
import { checkResults, harmDatabase, harmServices } from './harm.ts'
import { startLoad } from './load.ts'
import { canIsolate, isolatedNetwork, loopbackNetwork, type Network, runIsolated } from './network.ts'
import { createNode } from './nodes.ts'
import { installPackages } from './packages.ts'
import { killAll } from './processes.ts'
import { createReport } from './report.ts'
import { catalog } from './services.ts'
import { setUp } from './setup.ts'

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
const amounts = {
  failovers: Number(options.failovers),
  switchovers: Number(options.switchovers),
  crashes: Number(options.crashes),
  writes: Number(options.writes),
}
/** Between two writes of a client, because the machine also runs the cluster. */
const pauseMilliseconds = 150
const began = performance.now()
const log = (line: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`)

if (options.inside === undefined) {
  runBuild()
  installPackages(log)
  const isIsolated = canIsolate()
  if (!isIsolated)
    console.log('not tested: a disconnected primary (this user cannot create network namespaces)')
  const root = mkdtempSync(join(tmpdir(), 'catalog-cluster-'))
  chmodSync(root, 0o755)
  process.once('exit', (code) => {
    if (code === 1) console.log(`the logs are in ${root}`)
    else rmSync(root, { recursive: true, force: true })
  })
  if (!isIsolated) await test(loopbackNetwork(), root)
  process.exit(await runIsolated([process.execPath, ...process.argv.slice(1), '--inside', root]))
} else await test(isolatedNetwork(), options.inside)

/** Sets up the cluster, runs the test, and reports the results. Nothing keeps running. */
async function test(network: Network, root: string): Promise<never> {
  const nodes = [0, 1, 2].map((index) => createNode(network, index, root))
  const end = async (code: number): Promise<never> => {
    for (const node of nodes) await node.stop()
    killAll()
    process.exit(code)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(130))
  try {
    const services = await setUp(network, nodes, root, log)
    return await end(await harm({ network, nodes, services }, root))
  } catch (error) {
    console.error(error)
    return end(1)
  }
}

async function harm(parts: Omit<Cluster, 'load'>, root: string): Promise<number> {
  const { id } = await catalog(root, 'project', 'create', '--name', 'Load', '--plan', 'enterprise')
  const { token } = await catalog(root, 'token', 'create', '--project', String(id))
  const load = await startLoad(token, pauseMilliseconds)
  const cluster = { ...parts, load }
  const report = createReport(options.keep)
  await harmDatabase(cluster, amounts, report, log)
  await harmServices(cluster, amounts, report, log)
  await checkResults(load, root, String(id), report, log)
  return report.end(load.acknowledged(), (performance.now() - began) / 1000)
}
