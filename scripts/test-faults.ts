import { spawnSync } from 'node:child_process'
import { findNamedTests } from '../test/faults/named-tests.ts'
import { root } from './tree.ts'

/*
 * The suites that take too long for `npm test`. Without a name: everything that the service must survive, with a report.
 *   npm run test:faults
 *   npm run test:faults -- kills
 *   npm run test:faults -- cluster --failovers 30
 */

type Suite = { run: string[]; FAULTS?: 'long' | 'report' }

const script = (path: string) => ['node', '--disable-warning=ExperimentalWarning', path]

const suites: Record<string, Suite> = {
  faults: {
    // Files run one after another, so that they do not affect each other's measurements.
    run: [
      ...['vitest', 'run', '--maxWorkers', '1', '--testNamePattern', 'fault \\d+: '],
      ...findNamedTests().keys(),
    ],
    FAULTS: 'report',
  },
  kills: {
    run: [
      ...['vitest', 'run', 'src/operations/backup/restores.test.ts'],
      ...['src/cli/commands/database/move.test.ts', 'src/cli/commands/database/upgrade-postgres.test.ts'],
    ],
    FAULTS: 'long',
  },
  variants: {
    run: [
      ...['vitest', 'run', '.property.test.ts', 'product-counts.test.ts', 'misspelled-searches.test.ts'],
      ...['src/catalog/runs/failing-calls.test.ts'],
    ],
    FAULTS: 'long',
  },
  input: { run: ['vitest', 'run', 'test/input', 'test/isolation'], FAULTS: 'long' },
  agents: {
    run: ['vitest', 'run', '--maxWorkers', '1', 'src/agents', 'src/cli/commands/mcp.test.ts', 'test/agents'],
    FAULTS: 'long',
  },
  console: { run: ['vitest', 'run', '--project', 'browser'], FAULTS: 'long' },
  cluster: { run: script('test/cluster/run.ts') },
  image: { run: script('test/image/run.ts') },
  mutants: { run: ['stryker', 'run'] },
}

const [name = 'faults', ...more] = process.argv.slice(2)
const suite = suites[name]
if (suite === undefined) {
  console.error(`unknown suite ${name}; suites are ${Object.keys(suites).join(', ')}`)
  process.exitCode = 1
} else {
  const { run, ...variables } = suite
  const [program = '', ...args] = [...run, ...more]
  const { status } = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...variables },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
