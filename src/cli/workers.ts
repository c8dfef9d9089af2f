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
  const pool = poolWorkers({ ...parts, config: { ...parts.config, port: first.port } })
  try {
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => pool.start(index + 1)))
  } catch (error) {
    await Promise.all([first.drain(), pool.stop()])
    throw error
  }
  return {
    ...first,
    async drain() {
      await Promise.all([first.drain(), pool.stop()])
    },
  }
}

/** Keeps worker threads running: one that fails is replaced, until all are stopped. */
export function poolWorkers(parts: ServiceParts) {
  const workers = new Map<Worker, Promise<unknown>>()
  let stopped = false

  async function start(number: number): Promise<void> {
    const workerData = { ...parts, worker: number }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    workers.set(worker, ended)
    // A worker that never listened is removed too.
    void ended.then(() => workers.delete(worker))
    await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      void ended.then(() => reject(new Error('the worker ended before it listened')))
    })
    worker.on('error', (error) => console.error('catalog: a worker failed and is replaced:', error))
    void ended.then(() => replace(number))
  }

  async function replace(number: number): Promise<void> {
    while (!stopped) {
      await sleep(restartMilliseconds, undefined, { ref: false })
      if (stopped) return
      try {
        return await start(number)
      } catch (error) {
        console.error('catalog: a worker cannot be replaced yet:', error)
      }
    }
  }

  async function stop(): Promise<void> {
    stopped = true
    for (const worker of workers.keys()) worker.postMessage('drain')
    await Promise.all(workers.values())
  }

  return { start, stop, size: () => workers.size }
}

/** A shared port hides that another service listens on it already; listening without sharing shows it. */
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
