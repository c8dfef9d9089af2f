import { parentPort, workerData } from 'node:worker_threads'
import { type ServiceParts, startService } from '../service.ts'

const service = await startService({ ...(workerData as ServiceParts), reusePort: true })
parentPort?.once('message', async () => {
  await service.drain()
  parentPort?.close()
})
parentPort?.postMessage('listening')
