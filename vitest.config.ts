import { defineConfig } from 'vitest/config'
import { isReported, scaled } from './test/faults/scale.ts'
import { writeReport } from './test/faults/write-report.ts'
import { LongestFirst } from './test/setup/longest-first.ts'
import { reportSkipped } from './test/setup/report-skipped.ts'

const browser = ['test/browser/**/*.test.ts']
const longFaults = ['test/**/*.long.test.ts']

/** `npm run test:fast` runs src/ without these and without tests with the tag `slow`. test/ has the tests of the browser, the faults and all routes. */
const slow = [
  // These start programs.
  'src/cli/**',
  'src/operations/**',
  'src/platform/database/embedded/**',
  'src/platform/images/image-process.test.ts',
  'src/catalog/import/import-export.test.ts',
  'src/model/fields/product-fields.test.ts',
  'src/platform/database/commit-outcome.test.ts',
  'src/platform/database/migration/outside-transaction.test.ts',
  // These try hundreds of random inputs.
  'src/**/*.property.test.ts',
]
const fast = {
  testNamePattern: /^(?!.*\bfault \d+: )/,
  tagsFilter: ['!slow'],
  include: ['src/**/*.test.ts'],
  exclude: slow,
}

/** What each test file uses. */
const common = {
  setupFiles: ['test/setup/setup-file.ts'],
  testTimeout: scaled(120_000, 900_000),
  hookTimeout: 60_000,
  // Long, because a busy machine can be slow and the wait ends as soon as the condition holds.
  expect: { poll: { timeout: 30_000, interval: 20 } },
  tags: [{ name: 'slow', description: 'takes about half a second or more; npm run test:fast skips it' }],
  // Files of one worker share its modules, and with them the service, the response checks and the connections.
  isolate: false,
  // Test code runs only a few times, so optimization and garbage collection do not pay off. Threads for it would only take the
  // cores from other files.
  // The long forms run with the settings of the service.
  execArgv: scaled(
    ['--no-turbofan', '--initial-old-space-size=512', '--min-semi-space-size=32', '--single-threaded-gc'],
    [],
  ),
}

// They do not extend the configuration below, because each project would repeat its global setup.
const projects = [
  {
    test: {
      ...common,
      name: 'browser',
      include: browser,
      globalSetup: ['test/browser/global-setup.ts'],
      // Each check of a page takes Chromium a few milliseconds, so the tests check less often.
      expect: { poll: { ...common.expect.poll, interval: 60 } },
    },
  },
  // Tests that wait for processes are mixed with others, so that no core idles.
  {
    test: {
      ...common,
      name: 'service',
      include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
      exclude: [...browser, ...scaled(longFaults, [])],
    },
  },
]

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: ['test/setup/global-setup.ts'],
    reporters: ['default', reportSkipped, ...(isReported ? [writeReport] : [])],
    // Many tests wait, so three files keep two cores busy. With more, waits of single requests exceed their limits on a busy machine.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    ...(mode === 'fast' ? { ...common, ...fast } : { projects }),
  },
}))
