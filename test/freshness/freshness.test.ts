import { test } from 'vitest'
import { connectionUrl, ownDatabase } from '../database/test-database.ts'
import { recordFigures, spread } from '../faults/figures.ts'
import { rounds, scaled } from '../faults/scale.ts'
import { startServices } from '../faults/several-services.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { startShops } from './fresh-shops.ts'

const processes = 2
const reads = scaled(1_000, 20_000)
const kills = scaled(1, 5)

test('fault 40: no read misses a write that any service acknowledged before, while services that share a database are killed', async (context) => {
  const connection = await ownDatabase('fresh')
  const services = await startServices(connection, processes)
  const shops = await startShops(services, commandRunner({ DATABASE_URL: connectionUrl(connection) }))
  const starts: number[] = []
  for (const round of rounds(kills, kills, 300)) {
    await shops.untilReads((reads * (round + 1)) / (kills + 1))
    const killed = performance.now()
    await services.kill(round % processes)
    starts.push(performance.now() - killed)
  }
  await shops.untilReads(reads)
  const notes = await shops.expectFresh()
  await services.end()
  recordFigures(context, {
    tried: shops.reads(),
    of: `reads of ${processes} services with ${starts.length} kills`,
    survived: shops.reads(),
    lost: 0,
    notes: [...notes, `next start: ${spread(starts)}`],
  })
})
