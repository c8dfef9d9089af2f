import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveCatalog } from './served.ts'

/** Seconds from the command to the first response on an existing database, and the memory in MB when idle. */
export async function measureStart(folder: string): Promise<{ seconds: number; megabytes: number }> {
  const started = performance.now()
  const { url, pid, stop } = await serveCatalog(folder)
  await fetch(`${url}/healthz`)
  const seconds = (performance.now() - started) / 1000
  await sleep(5_000)
  const kibibytes = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  await stop()
  return { seconds, megabytes: kibibytes / 1024 }
}
