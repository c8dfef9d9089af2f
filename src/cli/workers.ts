import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { explainListening, type Service, type ServiceParts, startService } from '../service.ts'

const restartMilliseconds = 1_000

/** Several threads on one port; the kernel spreads connections over them. */
export async function startWorkers(parts: ServiceParts, count: number): Promise<Service> {
  if (process.platform !== 'linux')
    throw new Error('several workers share a port on Linux only; leave --workers out')
  await refuseTakenPort(parts)
  const first = await startService({ ...parts, reusePort: true })
  const crew = makeCrew({ ...parts, config: { ...parts.config, port: first.port } })
  try {
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => crew.hire(index + 1)))
  } catch (error) {
    await Promise.all([first.drain(), crew.dismiss()])
    throw error
  }
  return {
    ...first,
    async drain() {
      await Promise.all([first.drain(), crew.dismiss()])
    },
  }
}

/** Threads that are replaced when they fail, until they are sent away. */
export function makeCrew(parts: ServiceParts) {
  const workers = new Map<Worker, Promise<unknown>>()
  let dismissed = false

  async function hire(number: number): Promise<void> {
    const workerData = { ...parts, worker: number }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    workers.set(worker, ended)
    // Also one that never listened.
    void ended.then(() => workers.delete(worker))
    await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      void ended.then(() => reject(new Error('the worker ended before it listened')))
    })
    worker.on('error', (error) => console.error('catalog: a worker failed and is replaced:', error))
    void ended.then(() => replace(number))
  }

  async function replace(number: number): Promise<void> {
    while (!dismissed) {
      await sleep(restartMilliseconds, undefined, { ref: false })
      if (dismissed) return
      try {
        return await hire(number)
      } catch (error) {
        console.error('catalog: a worker cannot be replaced yet:', error)
      }
    }
  }

  async function dismiss(): Promise<void> {
    dismissed = true
    for (const worker of workers.keys()) worker.postMessage('drain')
    await Promise.all(workers.values())
  }

  return { hire, dismiss, size: () => workers.size }
}

/** A shared port hides that another service holds it already; an unshared try does not. */
async function refuseTakenPort({ config }: ServiceParts): Promise<void> {
  if (config.port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe
      .once('error', reject)
      .listen({ port: config.port, host: config.host, exclusive: true }, () => resolve())
  }).catch((error: NodeJS.ErrnoException) => {
    throw explainListening(error, config)
  })
  await new Promise((resolve) => probe.close(resolve))
}
