import { defineConfig } from 'vitest/config'
import { isReported, scaled } from './test/faults/scale.ts'
import { writeReport } from './test/faults/write-report.ts'
import { tellSkipped } from './test/setup/tell-skipped.ts'

const browser = ['test/browser/**/*.test.ts']
const longFaults = ['test/faults/**/*.long.test.ts']

/** `npm run test:fast` runs src/ without these. test/ has the browser, the faults and the tests of all routes. */
const slow = [
  // These start programs.
  'src/cli/**',
  'src/operations/**',
  'src/platform/database/embedded/**',
  'src/catalog/import/import-export.test.ts',
  'src/model/fields/product-fields.test.ts',
  'src/platform/database/commit-outcome.test.ts',
  'src/platform/database/migration/outside-transaction.test.ts',
  // These try hundreds of random inputs.
  'src/**/*.property.test.ts',
]
const fast = {
  testNamePattern: /^(?!.*\bfault \d+: )/,
  include: ['src/**/*.test.ts'],
  exclude: slow,
}

const projects = [
  {
    extends: true as const,
    test: { name: 'browser', include: browser, globalSetup: ['test/browser/global-setup.ts'] },
  },
  // Tests that wait for processes stand among those that do not, so that neither core idles.
  {
    extends: true as const,
    test: {
      name: 'service',
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      exclude: [...browser, ...scaled(longFaults, [])],
    },
  },
]

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/setup/global-setup.ts'],
    setupFiles: ['test/setup/setup-file.ts'],
    reporters: ['default', tellSkipped, ...(isReported ? [writeReport] : [])],
    testTimeout: scaled(60_000, 900_000),
    hookTimeout: 60_000,
    // What a test waits for ends the wait; how long a busy machine takes for it is no guarantee of ours.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Many tests wait for a process or a clock, so three files keep two cores busy; more would upset those that measure time.
    maxWorkers: 3,
    // Files of one worker share its modules, and with them the service, the checks of its answers, and the connections.
    isolate: false,
    // Code runs a few times here, so the last optimiser does not earn its time back, nor does collecting garbage of a process that ends soon.
    // The long forms run as the service does.
    execArgv: scaled(['--no-turbofan', '--initial-old-space-size=512'], []),
    ...(mode === 'fast' ? fast : { projects }),
  },
}))
