import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '../seeded-random.ts'
import { openClient, type Pool } from './client.ts'
import { createFamily } from './family.ts'
import { familyWrites, rulesetWrites } from './family-writes.ts'
import { familyProbes } from './probes.ts'
import { startReaders } from './readers.ts'
import { openRegisters, type Registers } from './registers.ts'
import { createSharedProducts } from './shared-products.ts'

export type Load = {
  /** One token per project. A project with few writers has longer times in which nothing changes. */
  tokens: string[]
  writers: number
  readers: number
  /** By all readers, between two writes of a writer, on average. Not a time, so that a slow machine has as many hits. */
  readsBetweenWrites: number
  /** The names of the writers' own changes, if not all. */
  kinds?: readonly string[]
}

const seed = 40
const sharedProducts = 4
const sharedShare = 0.3

type Shop = Awaited<ReturnType<typeof openShop>>

/** A project with its writers, what they change, and the reads that show it. */
async function openShop(pool: Pool, token: string, names: string[], registers: Registers, chance: Random) {
  const client = openClient(pool, token, chance)
  const writers = []
  for (const name of names) {
    const family = await createFamily(client, name, registers)
    writers.push({ family, group: { client, probes: familyProbes(family) } })
  }
  const skus = Array.from({ length: sharedProducts }, (_, number) => `shared-${number}`)
  const shared = await createSharedProducts(client, registers, skus, chance)
  return { client, writers, shared, sharedGroup: { client, probes: shared.probes } }
}

/** Starts writers and readers of several projects, and records all values that they see. */
export async function startLoad(pool: Pool, { tokens, writers, readers, readsBetweenWrites, kinds }: Load) {
  const chance = seededRandom(seed)
  const registers = openRegisters()
  const names = Array.from({ length: writers }, (_, writer) => `w${writer}q`)
  const shops = await Promise.all(
    tokens.map((token, place) => {
      const own = names.filter((_, writer) => writer % tokens.length === place)
      return openShop(pool, token, own, registers, chance)
    }),
  )
  const groups = shops.flatMap((shop) => [shop.sharedGroup, ...shop.writers.map(({ group }) => group)])
  const reading = startReaders(groups, registers, chance, readers)
  const pause = async (count: number, isOver: () => boolean) => {
    const enough = reading.reads() + chance.between(0, 2 * count)
    while (reading.reads() < enough && !isOver()) await sleep(10)
  }
  const writing = startWriters(
    shops,
    registers,
    chance,
    reading.note,
    (factor, isOver) => pause(factor * readsBetweenWrites, isOver),
    kinds,
  )
  return {
    reads: reading.reads,
    writes: writing.count,
    /** Reads that miss a write, without waiting for the end of the load. */
    findStale: () =>
      registers.findViolations().filter(({ rule }) => rule === 'stale read' || rule === 'reads went back'),
    /** Ends the load, and returns everything that contradicts the guarantee. */
    async stop() {
      await Promise.all([writing.stop(), reading.stop()])
      const lost = (await Promise.all(shops.map(({ shared }) => shared.complete()))).flat()
      const rejected = shops.flatMap(({ client }) => client.rejected)
      return { violations: registers.findViolations(), lost, rejected, unchanged: reading.unchanged() }
    },
  }
}

/** Each writer changes its own family and shared products, and one per project the rules. */
function startWriters(
  shops: Shop[],
  registers: Registers,
  chance: Random,
  note: (group: Shop['sharedGroup']) => void,
  pause: (factor: number, isOver: () => boolean) => Promise<void>,
  kinds?: readonly string[],
) {
  let count = 0
  let isOver = false

  async function write({ client, shared, sharedGroup }: Shop, { family, group }: Shop['writers'][number]) {
    const all = Object.entries(familyWrites(client, registers, family))
    const steps = all.filter(([name]) => kinds?.includes(name) ?? true).map(([, step]) => step)
    while (!isOver) {
      const isShared = chance.chance(sharedShare)
      await (isShared ? shared.write() : chance.pick(steps)())
      note(isShared ? sharedGroup : group)
      count += 1
      await pause(1, () => isOver)
    }
  }

  async function changeRules({ client }: Shop): Promise<void> {
    const changes = rulesetWrites(client)
    for (let turn = 0; !isOver; turn += 1) {
      await changes[turn % changes.length]?.(turn)
      await pause(10, () => isOver)
    }
  }

  const ended = Promise.all(
    shops.flatMap((shop) => [changeRules(shop), ...shop.writers.map((writer) => write(shop, writer))]),
  )
  return {
    count: () => count,
    async stop(): Promise<void> {
      isOver = true
      await ended
    },
  }
}
