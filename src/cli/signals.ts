const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Resolves with the first termination signal. The handlers stay installed: npm forwards a signal that the terminal has already
 * sent, and the second one must not interrupt the shutdown.
 */
export function untilSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of signals) process.on(signal, () => resolve(signal))
  })
}

/** A signal stopped the command before it finished. */
export class Interrupted extends Error {}

/** Exits the process after this time, even if something still hangs. */
export function exitWithin(milliseconds: number): void {
  setTimeout(() => process.exit(), milliseconds).unref()
}
