import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { explainListening, type Service, type ServiceParts, startService } from '../service.ts'
import { commandLimits } from './limits.ts'

/** Starts several threads on one port; the kernel distributes connections among them. */
export async function startWorkers(parts: ServiceParts, count: number): Promise<Service> {
  if (process.platform !== 'linux') throw new Error('--workers requires Linux; remove the option')
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

/** Runs worker threads and replaces those that fail, until stop() is called. */
export function poolWorkers(parts: ServiceParts) {
  const workers = new Map<Worker, Promise<unknown>>()
  let stopped = false

  async function start(number: number): Promise<void> {
    const workerData = { ...parts, worker: number }
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData })
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    workers.set(worker, ended)
    // Also removes a worker that never listened.
    void ended.then(() => workers.delete(worker))
    await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject)
      void ended.then(() => reject(new Error('the worker exited before it listened')))
    })
    worker.on('error', (error) => console.error('catalog: a worker failed and will be replaced:', error))
    void ended.then(() => replace(number))
  }

  async function replace(number: number): Promise<void> {
    while (!stopped) {
      await sleep(commandLimits.restartMilliseconds, undefined, { ref: false })
      if (stopped) return
      try {
        return await start(number)
      } catch (error) {
        console.error('catalog: cannot replace the worker yet, will retry:', error)
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

/** With a shared port, listening succeeds even if another service uses the port. An exclusive probe detects that. */
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
