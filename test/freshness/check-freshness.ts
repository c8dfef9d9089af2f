import { setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../seeded-random.ts'
import { openClient, type Pool } from './client.ts'
import { createFamily, registerOf } from './family.ts'
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
  /** Between two writes of a writer. */
  pauseMilliseconds: number
  seed: number
}

const sharedProducts = 4
/** Writers change shared products as often as their own. */
const sharedShare = 0.3

/** Writers and readers of several projects, and all values that they saw. */
export async function startLoad(pool: Pool, load: Load) {
  const chance = seededRandom(load.seed)
  const registers = openRegisters()
  let writes = 0
  let isOver = false
  const shops = await Promise.all(load.tokens.map((token, place) => openShop(token, place)))

  async function openShop(token: string, place: number) {
    const client = openClient(pool, token, chance)
    const names = Array.from({ length: load.writers }, (_, writer) => writer)
      .filter((writer) => writer % load.tokens.length === place)
      .map((writer) => `w${writer}q`)
    const families = []
    for (const name of names) families.push(await createFamily(client, name, registers))
    const skus = Array.from({ length: sharedProducts }, (_, number) => `shared-${number}`)
    const shared = await createSharedProducts(client, registers, skus, chance)
    return { client, families, shared, probes: [...families.flatMap(familyProbes), ...shared.probes] }
  }

  async function write({ client, shared }: (typeof shops)[0], family: (typeof shops)[0]['families'][0]) {
    const steps = Object.values(familyWrites(client, registers, family))
    while (!isOver) {
      await (chance.chance(sharedShare) ? shared.write() : chance.pick(steps)())
      writes += 1
      await sleep(chance.between(0, 2 * load.pauseMilliseconds))
    }
  }

  async function changeRules({ client, families }: (typeof shops)[0]): Promise<void> {
    const change = rulesetWrites(client, registers, families)
    for (let turn = 0; !isOver; turn += 1) {
      await change(turn, () => isOver)
      await sleep(chance.between(0, 20 * load.pauseMilliseconds))
    }
  }

  const writing = Promise.all(
    shops.flatMap((shop) => [changeRules(shop), ...shop.families.map((family) => write(shop, family))]),
  )
  const readers = startReaders(shops, registers, chance, load.readers)
  return {
    reads: readers.reads,
    writes: () => writes,
    /** Ends the load, and returns what contradicts the guarantee. */
    async stop() {
      isOver = true
      await Promise.all([writing, readers.stop()])
      const lost = (await Promise.all(shops.map(({ shared }) => shared.complete()))).flat()
      for (const { families } of shops) for (const { name } of families) allowRescoring(registers, name)
      const rejected = shops.flatMap(({ client }) => client.rejected)
      const violations = registers.findViolations()
      return { violations, lost, rejected, unchanged: readers.unchanged(), registers: registers.count() }
    },
  }
}

/** A background job can show any ruleset up to the latest one. */
function allowRescoring(registers: Registers, family: string): void {
  const register = registerOf(family, 'ruleset')
  for (let ruleset = registers.latest(register); ruleset > 0; ruleset -= 1)
    registers.allow([[register, ruleset]])
}
