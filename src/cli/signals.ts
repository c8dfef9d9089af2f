const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Resolves with the first signal that asks the process to end. The handlers stay: npm passes on a signal that the terminal has
 * sent already, and a second signal must not cut short the orderly end that the first one began.
 */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve(signal))
  })
}

/** A command was asked to end before its work was done. */
export class Interrupted extends Error {}

/** Ends the process in any case, whatever still hangs. */
export function exitWithin(milliseconds: number): void {
  setTimeout(() => process.exit(), milliseconds).unref()
}
