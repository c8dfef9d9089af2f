import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { changeProject, createProject } from '../src/access/projects/manage-project.ts'
import { issueToken } from '../src/access/tokens/manage-token.ts'
import { serveCatalog } from './servers/served.ts'
import { onTemporaryDatabase } from './servers/temporary-database.ts'

/** The time from a change to its event in the stream, at a fixed rate. */
export type EventLag = { perSecond: number; events: number; p50: number; p99: number }

const perSecond = 1_000
const seconds = 20
const linesAtOnce = 50
const actor = { name: 'bench' }

async function pushSome(url: string, token: string, from: number): Promise<void> {
  const lines = Array.from({ length: linesAtOnce }, (_, at) =>
    JSON.stringify({ sku: `E-${from + at}`, name: `Event ${from + at}` }),
  )
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' }
  const response = await fetch(`${url}/v2/products/bulk`, { method: 'POST', headers, body: lines.join('\n') })
  if (!response.ok) throw new Error(`a push returned ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Milliseconds between the timestamp of each event and its arrival. */
async function follow(url: string, token: string, wanted: number): Promise<number[]> {
  const headers = { authorization: `Bearer ${token}` }
  const stream = await fetch(`${url}/v2/events/stream?after=0&types=product.created`, { headers })
  const lags: number[] = []
  let rest = ''
  for await (const part of stream.body as ReadableStream<Uint8Array>) {
    const lines = (rest + Buffer.from(part).toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines.filter((text) => text.startsWith('data: ')))
      lags.push(Date.now() - Date.parse(JSON.parse(line.slice(6)).timestamp))
    if (lags.length >= wanted) break
  }
  return lags
}

export async function measureEvents(): Promise<EventLag> {
  let lags: number[] = []
  await onTemporaryDatabase(async (database, _connection, folder) => {
    const { id } = await createProject(database, actor, { name: 'Bench', plan: 'enterprise' })
    await changeProject(database, actor, id, { rateLimit: 'none' })
    const { token } = await issueToken(database, actor, id)
    const service = await serveCatalog(folder)
    try {
      const wanted = perSecond * seconds
      const read = follow(service.url, token, wanted)
      const pushes: Promise<void>[] = []
      const started = performance.now()
      for (let from = 0; from < wanted; from += linesAtOnce) {
        await sleep(Math.max(0, started + (from / perSecond) * 1000 - performance.now()))
        pushes.push(pushSome(service.url, token, from))
      }
      await Promise.all(pushes)
      lags = (await read).sort((a, b) => a - b)
    } finally {
      await service.stop()
    }
  })
  const at = (share: number) => lags[Math.floor(lags.length * share)] ?? Number.NaN
  return { perSecond, events: lags.length, p50: at(0.5), p99: at(0.99) }
}

export function describeEvents({ perSecond: rate, events, p50, p99 }: EventLag): string {
  return `${rate} events per second for ${seconds} seconds: ${events} events read from the stream,\nmedian ${p50.toFixed(0)} ms after the change, p99 ${p99.toFixed(0)} ms.`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(describeEvents(await measureEvents()))
