import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runBuild } from '../../scripts/build/run-build.ts'
import type { Cluster } from './faults.ts'
import { harmDatabase, harmServices, judge } from './harm.ts'
import { startLoad } from './load.ts'
import { isolatedNetwork, loopbackNetwork, mayIsolate, type Network, runIsolated } from './network.ts'
import { makeNode } from './nodes.ts'
import { installPackages } from './packages.ts'
import { killAll } from './processes.ts'
import { makeReport } from './report.ts'
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
/** Of each client between two writes: the machine has more to do than to be loaded. */
const pauseMilliseconds = 150
const began = performance.now()
const tell = (line: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${line}`)

if (options.inside === undefined) {
  runBuild()
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
  const load = await startLoad(token, pauseMilliseconds)
  const cluster = { ...made, load }
  const report = makeReport(options.keep)
  await harmDatabase(cluster, amounts, report, tell)
  await harmServices(cluster, amounts, report, tell)
  await judge(load, root, String(id), report, tell)
  return report.end(load.acknowledged(), (performance.now() - began) / 1000)
}
