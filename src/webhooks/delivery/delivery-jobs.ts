import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Job } from '../../background.ts'
import type { Queryable, Writable } from '../../database/database.ts'
import { batchReads } from '../../database/scheduling/batch-reads.ts'
import { takeTurns } from '../../database/scheduling/take-turns.ts'
import type { SecretBox } from '../encrypted-secret.ts'
import { targetRead } from '../target.sql.ts'
import type { WebhookSender } from '../webhook-sender.ts'
import { deleteOldAttempts } from './attempts.sql.ts'
import { deliverLane, type Held, type Tools } from './deliver-lane.ts'
import { deliverParked } from './deliver-parked.ts'
import { deliveryLog } from './delivery-log.ts'
import { hasEnabled, keepLanes, leaseLanes } from './lane.sql.ts'
import { type ParkedEvent, takeParked } from './parked.sql.ts'
import { tellTroubles } from './tell-troubles.ts'

type Parts = {
  database: Queryable
  box: SecretBox
  sender: WebhookSender
  log: FastifyBaseLogger
  countTry: Tools['countTry']
  /** Numbers the events that are to be delivered. */
  numberEvents: (database: Writable) => Promise<void>
}

/** Where no webhook is enabled, only each so many looks ask the database. */
const looksOfRest = 4

type Running = Held & { heldUntil: number; done: Promise<void> }

/** The deliveries of a process. Any number of processes share the lanes of all webhooks. */
export function webhookJobs({ database: reads, box, sender, log, countTry, numberEvents }: Parts): Job[] {
  const { limits } = sender
  /** By their leases. */
  const running = new Map<string, Running>()
  const written = deliveryLog(limits.attemptsOfWebhook)
  const tools = { box, sender, countTry, log: written, findTarget: batchReads(reads, targetRead) }
  /** Many lanes are delivered at once, on a connection that other background work needs too. */
  let shared: Writable | undefined
  /** Of parked events. */
  const retries = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let isEnding = false
  let rest = 0

  async function look(database: Writable): Promise<void> {
    if (isEnding || !(await sender.isSafe())) return
    rest -= 1
    if (rest > 0) return
    rest = (await hasEnabled(database)) ? 0 : looksOfRest
    if (rest > 0) return
    await numberEvents(database)
    shared ??= takeTurns(database)
    const turns = shared
    const most = limits.lanesAtOnce - running.size
    if (most > 0) {
      const busy = [...running.values()].map(({ lane: { projectId, webhookId } }) => ({
        projectId,
        webhookId,
      }))
      const lanes = await leaseLanes(database, {
        most,
        mostOfWebhook: limits.lanesOfWebhookAtOnce,
        mostOfProject: limits.lanesOfProjectAtOnce,
        busy,
        leaseMilliseconds: limits.lease,
      })
      for (const lane of lanes) start(turns, { lane, mayGoOn: () => mayGoOn(lane.lease) })
    }
    const room = limits.parkedAtOnce - retries.size
    if (room > 0) for (const parked of await takeParked(turns, room, limits.timeout * 2)) retry(turns, parked)
  }

  /** One look at a time. */
  function lookOnce(database: Writable): Promise<void> {
    looking ??= look(database).finally(() => {
      looking = undefined
    })
    return looking
  }

  function mayGoOn(lease: string): boolean {
    return !isEnding && (running.get(lease)?.heldUntil ?? 0) > performance.now()
  }

  function start(database: Writable, held: Held): void {
    const { lease } = held.lane
    const one: Running = { ...held, heldUntil: performance.now() + limits.lease, done: Promise.resolve() }
    running.set(lease, one)
    one.done = failuresLogged(deliverLane(database, tools, held)).finally(() => {
      running.delete(lease)
      void failuresLogged(lookOnce(database))
    })
  }

  function retry(database: Writable, parked: ParkedEvent): void {
    const one = failuresLogged(deliverParked(database, tools, parked, () => !isEnding)).finally(() => {
      retries.delete(one)
      void failuresLogged(lookOnce(database))
    })
    retries.add(one)
  }

  async function failuresLogged(work: Promise<void>): Promise<void> {
    await work.catch((error) => log.warn({ err: error }, 'a delivery of events broke off'))
  }

  /** Writes how far the lanes are and what became of tries, and holds the lanes on. */
  async function keep(database: Writable): Promise<void> {
    const asked = [...running.values()]
    if (asked.length === 0 && written.isEmpty()) return
    const until = performance.now() + limits.lease
    const lanes = asked.map(({ lane }) => lane)
    const { kept, forget } = await database.transaction(async (tx) => ({
      kept: lanes.length === 0 ? [] : await keepLanes(tx, lanes, limits.lease),
      forget: await written.write(tx),
    }))
    forget()
    const held = new Set(kept.map(({ lease }) => lease))
    for (const one of asked) one.heldUntil = held.has(one.lane.lease) ? until : 0
  }

  /** Receivers that do not answer in time are left: their events come again, by whoever takes the lanes next. */
  async function end(database: Writable): Promise<void> {
    isEnding = true
    const all = Promise.all([...running.values()].map(({ done }) => done).concat(...retries))
    const inTime = () => Promise.race([all, sleep(limits.stopWithin, undefined, { ref: false })])
    await inTime()
    sender.close()
    await inTime()
    await keep(database)
  }

  return [
    { name: 'webhooks', everySeconds: limits.lookEvery / 1000, run: lookOnce, end },
    { name: 'leases of webhooks', everySeconds: limits.saveEvery / 1000, run: keep },
    {
      name: 'troubles of webhooks',
      everySeconds: limits.tellEvery / 1000,
      run: (database, signal) => tellTroubles(database, limits, signal),
    },
    {
      name: 'old attempts of webhooks',
      everySeconds: 600,
      run: (database, signal) => deleteOldAttempts(database, limits.daysOfAttempts, signal),
    },
  ]
}
