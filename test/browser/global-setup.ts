import type { TestProject } from 'vitest/node'
import { findOrInstallChromium, noChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The program that each worker starts once. Undefined if there is none. */
    chromium: string | undefined
  }
}

export function setup({ provide }: TestProject): void {
  const executablePath = findOrInstallChromium()
  if (executablePath === undefined) {
    // In CI, a suite that skips its browser tests must not pass.
    if (process.env['CI'] !== undefined) throw new Error(noChromium)
    console.error(`The browser tests are skipped: ${noChromium}.`)
  }
  provide('chromium', executablePath)
}
