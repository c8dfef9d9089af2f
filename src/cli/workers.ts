import { createServer } from 'node:net'
import { Worker } from 'node:worker_threads'
import { type Service, type ServiceParts, startService } from '../service.ts'

/** Several threads on one port; the kernel spreads connections over them. */
export async function startWorkers(parts: ServiceParts, count: number): Promise<Service> {
  if (process.platform !== 'linux')
    throw new Error('several workers share a port on Linux only; leave --workers out')
  await refuseTakenPort(parts)
  const first = await startService({ ...parts, reusePort: true })
  const config = { ...parts.config, port: first.port }
  let stopping = false

  async function startOne(): Promise<Worker> {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...parts, config } })
    await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    worker.on('error', (error) => console.error('catalog: a worker failed and is replaced:', error))
    worker.once('exit', () => {
      workers.delete(worker)
      if (!stopping) void startOne()
    })
    workers.add(worker)
    return worker
  }

  const workers = new Set<Worker>()
  for (let started = 1; started < count; started += 1) await startOne()

  return {
    ...first,
    async drain() {
      stopping = true
      const ended = [...workers].map((worker) => new Promise((resolve) => worker.once('exit', resolve)))
      for (const worker of workers) worker.postMessage('drain')
      await Promise.all([first.drain(), ...ended])
    },
  }
}

/** A shared port hides that another service holds it already; an unshared try does not. */
async function refuseTakenPort({ config: { port, host } }: ServiceParts): Promise<void> {
  if (port === 0) return
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject).listen({ port, host, exclusive: true }, () => resolve())
  }).catch(() => {
    throw new Error(
      `port ${port} on ${host} is taken; stop what listens there, or choose another with --port (0 picks a free one)`,
    )
  })
  await new Promise((resolve) => probe.close(resolve))
}
