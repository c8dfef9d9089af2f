import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/database/database.ts'
import { seededRandom } from '../seeded-random.ts'
import type { Access, Pool } from './client.ts'
import { openShop } from './open-shop.ts'
import { startReaders } from './readers.ts'
import { openRegisters } from './registers.ts'
import { followRows, recordRowStates } from './row-states.ts'
import type { RunCommand } from './writes/command-writes.ts'
import { startWriters } from './writes/writers.ts'

export type Load = {
  /** One per project. A project with few writers has longer times in which nothing changes. */
  shops: Access[]
  /** The sessions of the readers. */
  cookies: string[]
  writers: number
  /** By all readers, between two writes of a writer, on average. Not a time, so that a slow machine has as many hits. */
  readsBetweenWrites: number
  /** The names of the changes, if not all. */
  kinds?: readonly string[]
}

const seed = 40

/** Starts writers and readers of several projects, and records all values that they see. */
export async function startLoad(pool: Pool, database: Database, runCommand: RunCommand, load: Load) {
  const chance = seededRandom(seed)
  const registers = openRegisters()
  await recordRowStates(database)
  const names = Array.from({ length: load.writers }, (_, writer) => `w${writer}q`)
  const shops = await Promise.all(
    load.shops.map((access, place) => {
      const own = names.filter((_, writer) => writer % load.shops.length === place)
      return openShop({ pool, database, runCommand, registers, chance }, access, own)
    }),
  )
  const rows = followRows(
    database,
    registers,
    shops.flatMap((shop) => shop.rows),
  )
  const groups = shops.flatMap((shop) => [shop.shared.group, ...shop.writers.map(({ group }) => group)])
  const reading = startReaders(groups, registers, chance, load.cookies)
  const pause = async (factor: number, isOver: () => boolean) => {
    const enough = reading.reads() + chance.between(0, 2 * factor * load.readsBetweenWrites)
    while (reading.reads() < enough && !isOver()) await sleep(10)
  }
  const writing = startWriters(shops, chance, { note: reading.note, pause, kinds: load.kinds })
  return {
    reads: reading.reads,
    writes: writing.counts,
    /** Reads that miss a write, without waiting for the end of the load. */
    findStale: () =>
      registers.findViolations().filter(({ rule }) => rule === 'stale read' || rule === 'reads went back'),
    /** Ends the load, and returns everything that contradicts the guarantee. */
    async stop() {
      await Promise.all([writing.stop(), reading.stop()])
      const disordered = await rows.stop()
      const lost = (await Promise.all(shops.map(({ shared }) => shared.complete()))).flat()
      const rejected = shops.flatMap(({ client }) => client.rejected)
      const violations = registers.findViolations()
      return { problems: { violations, disordered, lost, rejected }, unchanged: reading.unchanged() }
    },
  }
}
