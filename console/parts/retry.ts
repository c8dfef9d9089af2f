type Retries = {
  /** The seconds before the next attempt, or undefined to give up. Attempts count from 1. */
  pauseAfter: (error: unknown, attempt: number) => number | undefined
  signal: AbortSignal
}

/** Repeats a request that can be repeated. An abort ends the pause too. */
export async function withRetries<Result>(
  call: () => Promise<Result>,
  { pauseAfter, signal }: Retries,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await call()
    } catch (error) {
      const seconds = pauseAfter(error, attempt)
      if (seconds === undefined) throw error
      await wait(seconds, signal)
    }
}

function wait(seconds: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, seconds * 1_000)
    signal.addEventListener('abort', stop, { once: true })
  })
}
