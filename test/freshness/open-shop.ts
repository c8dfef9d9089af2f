import type { Database } from '../../src/platform/database/database.ts'
import type { Random } from '../seeded-random.ts'
import { type Access, openClient, type Pool } from './client.ts'
import { createFamily } from './family.ts'
import { familyProbes } from './probes.ts'
import type { Registers } from './registers.ts'
import { openCommands, type RunCommand } from './writes/command-writes.ts'
import { listWrites } from './writes/list-writes.ts'
import { productWrites } from './writes/product-writes.ts'
import { projectWrites } from './writes/project-writes.ts'
import { createSharedProducts } from './writes/shared-products.ts'
import { openWriter } from './writes/writer.ts'

export type Shop = Awaited<ReturnType<typeof openShop>>

type Parts = {
  pool: Pool
  database: Database
  runCommand: RunCommand
  registers: Registers
  chance: Random
}

const sharedProducts = 4

/** A project with its writers, what they change, and the reads that show it. */
export async function openShop(parts: Parts, access: Access, names: string[]) {
  const { pool, database, runCommand, registers, chance } = parts
  const client = openClient(pool, access, chance)
  const commands = openCommands(runCommand, client)
  const writers = []
  for (const name of names) {
    const family = await createFamily(client, name, registers)
    const writer = openWriter(client, commands, registers, family)
    const steps = { ...productWrites(writer), ...listWrites(writer) }
    writers.push({ steps, single: family.ids.single, group: { client, probes: familyProbes(family) } })
  }
  const skus = Array.from({ length: sharedProducts }, (_, number) => `shared-${number}`)
  const { ids, probes, write, complete } = await createSharedProducts(client, registers, skus, chance)
  return {
    client,
    writers,
    shared: { write, complete, group: { client, probes } },
    projectSteps: projectWrites(database, client, commands, registers),
    /** The products whose rows are compared with responses. */
    rows: [...ids, ...writers.map(({ single }) => single)],
  }
}
