import { defineConfig } from 'vitest/config'
import { isReported, scaled } from './test/faults/scale.ts'
import { writeReport } from './test/faults/write-report.ts'
import { tellSkipped } from './test/setup/tell-skipped.ts'

const browser = ['test/browser/**/*.test.ts']
const longFaults = ['test/faults/**/*.long.test.ts']

export default defineConfig({
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
    projects: [
      {
        extends: true,
        test: { name: 'browser', include: browser, globalSetup: ['test/browser/global-setup.ts'] },
      },
      // Tests that wait for processes stand among those that do not, so that neither core idles.
      {
        extends: true,
        test: {
          name: 'service',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...browser, ...scaled(longFaults, [])],
        },
      },
    ],
  },
})
