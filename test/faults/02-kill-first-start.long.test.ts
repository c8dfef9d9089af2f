import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Serving, serve, spawnCatalog } from '../processes/catalog-process.ts'
import { seededRandom } from '../seeded-random.ts'
import { temporaryFolder } from '../setup/temporary-folder.ts'
import { recordFigures, spread } from './figures.ts'
import { rounds } from './scale.ts'

const chance = seededRandom(2)

async function timedStart(folder: string): Promise<[Serving, number]> {
  const began = performance.now()
  return [await serve(['--data', folder]), performance.now() - began]
}

async function expectReady({ url, stop }: Serving): Promise<void> {
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect((await stop()).code).toBe(0)
}

test('fault 2: the next start succeeds after a kill at any time', async (context) => {
  const [first, usual] = await timedStart(temporaryFolder())
  await expectReady(first)
  const starts: number[] = []
  for (const _ of rounds(0, 40, 90)) {
    const folder = temporaryFolder()
    const child = spawnCatalog(['serve', '--port', '0', '--data', folder])
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await sleep(chance.between(0, Math.round(usual)))
    child.kill('SIGKILL')
    await ended
    const [next, milliseconds] = await timedStart(folder)
    await expectReady(next)
    starts.push(milliseconds)
  }
  const notes = [`First start without a kill: ${Math.round(usual)} ms`, `next start: ${spread(starts)}`]
  recordFigures(context, {
    tried: starts.length,
    of: 'kills at random times',
    survived: starts.length,
    lost: 0,
    notes,
  })
})
