import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { seededRandom } from '../../src/demo/random.ts'
import { type Serving, serve } from '../processes/catalog-process.ts'
import { commandRunner } from '../processes/command-runner.ts'
import { bearer, count, newToken } from '../processes/served-shop.ts'
import { dataFolderOfFile } from '../setup/temporary-folder.ts'
import { checkWrites } from './check-writes.ts'
import { spread, tell } from './figures.ts'
import { isLong, rounds, scaled } from './scale.ts'
import type { Content, Ledger } from './writers.ts'

const folder = dataFolderOfFile()
const commands = commandRunner({ CATALOG_DATA: folder })
const chance = seededRandom(3)
/** More than one batch: the quick form is killed after the first. */
const lines = scaled(1_500, 10_000)
const content: Content = { turn: 1, quantity: 0 }

function skusOf(round: number): string[] {
  return Array.from({ length: lines }, (_, line) => `P-${round}-${line}`)
}

/** Which status it was answered with; 0 where the connection ended before. */
async function push({ url }: Serving, token: string, skus: string[], mode: string): Promise<number> {
  const body = skus
    .map((sku) => JSON.stringify({ sku, name: sku, categories: [{ name: 'C 1' }], attributes: { turn: 1 } }))
    .join('\n')
  const headers = { ...bearer(token), 'content-type': 'application/x-ndjson' }
  const request = { method: 'POST', headers, body }
  try {
    const answer = await fetch(`${url}/v2/products/bulk${mode}`, request)
    await answer.text()
    return answer.status
  } catch {
    return 0
  }
}

/** Kills the service while it writes: the quick form at the first lines that are there, the long one at any time. */
async function killInPush(serving: Serving, token: string, skus: string[], mode: string, usual: number) {
  const before = await count(serving.url, token)
  const pushed = push(serving, token, skus, mode)
  if (isLong) await sleep(chance.between(0, Math.round(usual)))
  else await expect.poll(() => count(serving.url, token), { interval: 1 }).toBeGreaterThan(before)
  await serving.stop('SIGKILL')
  return { before, isAcknowledged: (await pushed) === 200 }
}

test('fault 3: lines are there whole or not at all, all or none where asked, and a push again makes one product a SKU', async (context) => {
  let serving = await serve(['--data', folder, '--log-level', 'warn'])
  const { token } = await newToken(commands)
  const began = performance.now()
  if (isLong) expect(await push(serving, token, skusOf(-1), '')).toBe(200)
  const usual = performance.now() - began
  const written: number[] = []
  const starts: number[] = []
  for (const round of rounds(1, 40, 90)) {
    const mode = round % 2 === 0 ? '' : '?on_error=abort'
    const skus = skusOf(round)
    const { before, isAcknowledged } = await killInPush(serving, token, skus, mode, usual)
    const restarted = performance.now()
    serving = await serve(['--data', folder, '--log-level', 'warn'])
    starts.push(performance.now() - restarted)
    written.push((await count(serving.url, token)) - before)
    const known = isAcknowledged ? { acknowledged: content } : { sent: content }
    await expectWhole(new Map(skus.map((sku) => [sku, known])))
    if (mode !== '') expect([0, lines]).toContain(written.at(-1))
    expect(await push(serving, token, skus, mode)).toBe(200)
    await expectWhole(new Map(skus.map((sku) => [sku, { acknowledged: content }])))
    expect(await count(serving.url, token)).toBe(before + lines)
  }
  await serving.stop()
  const partly = written.filter((number) => number > 0 && number < lines).length
  const notes = [`${partly} pushes were cut between two batches`, `next start: ${spread(starts)}`]
  tell(context, {
    tried: starts.length,
    of: `kills in pushes of ${lines} lines`,
    survived: starts.length,
    lost: 0,
    notes,
  })
})

async function expectWhole(ledger: Ledger): Promise<void> {
  expect(await checkWrites(folder, ledger)).toEqual({ lost: [], torn: [] })
}
