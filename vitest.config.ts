import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What a test waits for ends the wait; how long a busy machine takes for it is no guarantee of ours.
    expect: { poll: { timeout: 30_000, interval: 20 } },
    // Many tests wait for a process or a clock, so three files keep two cores busy; more would upset those that measure time.
    maxWorkers: 3,
  },
})
