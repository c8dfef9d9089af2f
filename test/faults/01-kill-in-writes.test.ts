import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Serving, serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { familyOf, newToken, postmaster } from '../processes/served-shop.ts'
import { seededRandom } from '../seeded-random.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'
import { checkWrites } from './check-writes.ts'
import { recordFigures, spread } from './figures.ts'
import { rounds, scaled } from './scale.ts'
import { type Ledger, startWriters } from './writers.ts'

const folder = dataFolderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })
const chance = seededRandom(2026)
const clients = 8

const starts: number[] = []
async function start(workers = 1): Promise<Serving> {
  const began = performance.now()
  const serving = await serve(['--data', folder, '--log-level', 'warn', '--workers', String(workers)])
  starts.push(performance.now() - began)
  return serving
}

/** Writes for a random time, then kills the service, and every third time all database processes too. */
async function writeUntilKilled(
  serving: Serving,
  round: number,
  token: string,
  ledger: Ledger,
): Promise<number> {
  const names = Array.from({ length: clients }, (_, client) => `K-${round}-${client}`)
  const writers = startWriters(serving.url, token, names, ledger)
  await expect
    .poll(writers.acknowledged, { interval: 1 })
    .toBeGreaterThan(scaled(40, chance.between(60, 200)))
  await sleep(chance.between(0, 20))
  if (round % 3 === 2) for (const pid of familyOf(postmaster(folder))) process.kill(pid, 'SIGKILL')
  await serving.stop('SIGKILL')
  await writers.ended
  expect(writers.rejected).toEqual([])
  return writers.acknowledged()
}

test('fault 1: after a kill, every acknowledged write exists and every other write is atomic', {
  timeout: scaled(60_000, 1_200_000),
}, async (context) => {
  let serving = await start()
  const { token } = await newToken(commands)
  starts.length = 0
  const all: Ledger = new Map()
  const found = { lost: [] as string[], torn: [] as string[] }
  let [kills, acknowledged] = [0, 0]
  const check = async (ledger: Ledger) => {
    const { lost, torn } = await checkWrites(folder, ledger)
    found.lost.push(...lost)
    found.torn.push(...torn)
  }
  for (const round of rounds(1, 200, 1_000)) {
    const ledger: Ledger = new Map()
    acknowledged += await writeUntilKilled(serving, round, token, ledger)
    kills += 1
    serving = await start(1 + (round % 2))
    await check(ledger)
    for (const [sku, known] of ledger) all.set(sku, known)
  }
  // After one round, everything is already checked.
  if (kills > 1) await check(all)
  const { checks } = await commands.catalogJson(['doctor'])
  expect(checks.find(({ check }: { check: string }) => check === 'counts')).toMatchObject({ status: 'ok' })
  await serving.stop()
  recordFigures(context, {
    tried: kills,
    of: `kills during ${acknowledged.toLocaleString('en-US')} acknowledged writes`,
    survived: found.lost.length + found.torn.length === 0 ? kills : 0,
    lost: found.lost.length + found.torn.length,
    notes: [`Next start: ${spread(starts)}`],
  })
  expect(found).toEqual({ lost: [], torn: [] })
})
