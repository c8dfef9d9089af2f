import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Serving, serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { bearer, count, newToken } from '../processes/served-shop.ts'
import { seededRandom } from '../seeded-random.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'
import { checkWrites } from './check-writes.ts'
import { recordFigures, spread } from './figures.ts'
import { isLong, rounds, scaled } from './scale.ts'
import type { Content, Ledger } from './writers.ts'

const folder = dataFolderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })
const chance = seededRandom(3)
/** More than one batch: the short form is killed after the first. */
const lines = scaled(1_500, 10_000)
const content: Content = { turn: 1, quantity: 0 }

/** One project accepts single lines, the other pushes are atomic. */
type Shop = { mode: '' | '?on_error=abort'; token: string }

function skusOf({ mode }: Shop, round: number): string[] {
  return Array.from({ length: lines }, (_, line) => `P${mode}-${round}-${line}`)
}

/** The status of the response, or 0 if the connection ended before. */
async function push({ url }: Serving, shop: Shop, round: number): Promise<number> {
  const body = skusOf(shop, round)
    .map((sku) => JSON.stringify({ sku, name: sku, categories: [{ name: 'C 1' }], attributes: { turn: 1 } }))
    .join('\n')
  const headers = { ...bearer(shop.token), 'content-type': 'application/x-ndjson' }
  const request = { method: 'POST', headers, body }
  try {
    const response = await fetch(`${url}/v2/products/bulk${shop.mode}`, request)
    await response.text()
    return response.status
  } catch {
    return 0
  }
}

const countOf = ({ url }: Serving, { token }: Shop) => count(url, token)

/** Kills the service while it writes both pushes: the short form after the first lines, the long form at any time. */
async function killInPushes(serving: Serving, shops: [Shop, Shop], round: number, usual: number) {
  const before = await countOf(serving, shops[0])
  const pushed = shops.map((shop) => push(serving, shop, round))
  if (isLong) await sleep(chance.between(0, Math.round(usual)))
  else await expect.poll(() => countOf(serving, shops[0]), { interval: 1 }).toBeGreaterThan(before)
  await serving.stop('SIGKILL')
  const statuses = await Promise.all(pushed)
  return { before, areAcknowledged: statuses.map((status) => status === 200) }
}

test('fault 3: lines are atomic, so is a push with on_error=abort, and a repeated push creates one product per SKU', async (context) => {
  let serving = await serve(['--data', folder, '--log-level', 'warn'])
  const open = async (mode: Shop['mode']) => ({ mode, token: (await newToken(commands)).token })
  const shops: [Shop, Shop] = [await open(''), await open('?on_error=abort')]
  const began = performance.now()
  if (isLong) await Promise.all(shops.map(async (shop) => expect(await push(serving, shop, -1)).toBe(200)))
  const usual = performance.now() - began
  const written: number[] = []
  const starts: number[] = []
  for (const round of rounds(1, 40, 90)) {
    const { before, areAcknowledged } = await killInPushes(serving, shops, round, usual)
    const restarted = performance.now()
    serving = await serve(['--data', folder, '--log-level', 'warn'])
    starts.push(performance.now() - restarted)
    const counts = await Promise.all(shops.map((shop) => countOf(serving, shop)))
    const [some = 0, atomic = 0] = counts.map((number) => number - before)
    written.push(some)
    expect([0, lines]).toContain(atomic)
    await expectConsistent(shops, round, areAcknowledged)
    for (const shop of shops) {
      expect(await push(serving, shop, round)).toBe(200)
      expect(await countOf(serving, shop)).toBe(before + lines)
    }
    await expectConsistent(shops, round, [true, true])
  }
  await serving.stop()
  const partly = written.filter((number) => number > 0 && number < lines).length
  const notes = [`${partly} pushes were interrupted between two batches`, `next start: ${spread(starts)}`]
  recordFigures(context, {
    tried: starts.length,
    of: `kills in two pushes of ${lines} lines`,
    survived: starts.length,
    lost: 0,
    notes,
  })
})

async function expectConsistent(shops: Shop[], round: number, areAcknowledged: boolean[]): Promise<void> {
  const ledger: Ledger = new Map(
    shops.flatMap((shop, index) => {
      const known = areAcknowledged[index] ? { acknowledged: content } : { sent: content }
      return skusOf(shop, round).map((sku) => [sku, known] as const)
    }),
  )
  expect(await checkWrites(folder, ledger)).toEqual({ lost: [], torn: [] })
}
