import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { findOrInstallChromium, noChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the one Chromium of all browser tests listens; undefined where there is none. */
    chromium: string | undefined
  }
}

export async function setup({ provide }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const executablePath = findOrInstallChromium()
  if (executablePath === undefined) {
    // Where nobody looks at the output, a suite that skips its browser tests must not pass.
    if (process.env['CI'] !== undefined) throw new Error(noChromium)
    console.error(`The browser tests are skipped: ${noChromium}.`)
    provide('chromium', undefined)
    return undefined
  }
  // One process shows all pages of a visitor, with what it has compiled for those before.
  const server = await chromium.launchServer({ executablePath, args: ['--renderer-process-limit=1'] })
  provide('chromium', server.wsEndpoint())
  return () => server.close()
}
