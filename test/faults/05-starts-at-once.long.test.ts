import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { connectionUrl, emptyDatabase } from '../database/test-database.ts'
import { serve, spawnCatalog } from '../processes/catalog-process.ts'
import { seededRandom } from '../seeded-random.ts'
import { recordFigures } from './figures.ts'
import { rounds } from './scale.ts'

const chance = seededRandom(5)

test('fault 5: if three services start at once on an empty database and one is killed, the others serve', async (context) => {
  let starts = 0
  for (const _ of rounds(0, 12, 40)) {
    const environment = { DATABASE_URL: connectionUrl(await emptyDatabase('starts')) }
    const doomed = spawnCatalog(['serve', '--port', '0'], environment)
    const ended = new Promise((resolve) => doomed.once('exit', resolve))
    const others = [serve([], environment), serve([], environment)]
    await sleep(chance.between(100, 1_500))
    doomed.kill('SIGKILL')
    await ended
    for (const other of await Promise.all(others)) {
      expect((await fetch(`${other.url}/readyz`)).status).toBe(200)
      await other.stop()
    }
    starts += 3
  }
  recordFigures(context, { tried: starts, of: 'starts, every third one killed', survived: starts, lost: 0 })
})
