import { spawnSync } from 'node:child_process'
import { findNamedTests } from '../test/faults/named-tests.ts'
import { root } from './tree.ts'

// One file after the other, so that what one of them does is not measured by another.
const { status } = spawnSync(
  'vitest',
  ['run', ...['--maxWorkers', '1', '--testNamePattern', 'fault \\d+: '], ...findNamedTests().keys()],
  { cwd: root, env: { ...process.env, FAULTS: 'report' }, stdio: 'inherit' },
)
process.exitCode = status ?? 1
