import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../../test/harness.ts'
import { seededRandom } from '../../../../test/seeded-random.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findClosePairs } from './close-names.ts'
import { groupCloseNames } from './group-close-names.ts'
import { nameSimilarity, nameWords } from './name-words.ts'

let service: TestService
beforeAll(async () => {
  service = await sharedTestService()
})

test('the similarity of names equals the similarity of pg_trgm', async () => {
  const { between, pick } = seededRandom(43)
  const words = ['oak', 'Shelf', 'T-shirt', '30', 'x', 'mm', '(new)', 'lamp', 'lamps', 'lmap', 'A4']
  const name = () => Array.from({ length: between(1, 6) }, () => pick(words)).join(' ')
  const pairs = Array.from({ length: 500 }, () => [name(), name()] as const)
  const rows = await service.database.query(sql<{ similarity: number }>`
    select similarity(one, other) as similarity
    from unnest(${pairs.map(([one]) => one)}::text[], ${pairs.map(([, other]) => other)}::text[])
      with ordinality as pair (one, other, place) order by place`)
  expect(rows).toHaveLength(pairs.length)
  for (const [at, [one, other]] of pairs.entries())
    expect(nameSimilarity(nameWords(one), nameWords(other)), `${one} ~ ${other}`).toBeCloseTo(
      rows[at]?.similarity ?? Number.NaN,
      5,
    )
})

test('a comparison that takes too long reports that it is incomplete', async () => {
  const names = ['Folding garden chair', 'Folding graden chair']
  expect(await findClosePairs(names)).toEqual({ pairs: [[0, 1]], isComplete: true })
  expect((await findClosePairs(names, -1)).isComplete).toBe(false)
})

/** Letters that encode the number, so that names have many different words which differ by one letter. */
const letters = (number: number, length: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(97 + (Math.floor(number / 26 ** at) % 26))).join('')

test.each<[string, (at: number) => string]>([
  ['the same letters', (at) => `garden${' '.repeat(1 + (at >> 6))}chair${'-'.repeat(at & 63)}`],
  ['words that differ by one letter', (at) => `garden chairs ${letters(at, 4)}abcdefgh`],
  [
    '240,000 different words',
    (at) => Array.from({ length: 12 }, (_, k) => letters(at * 12 + k, 6)).join(' '),
  ],
])(
  'other requests get their turns while names with %s are compared',
  { tags: 'slow' },
  async (_what, nameOf) => {
    const products = Array.from({ length: 20_000 }, (_, id) => ({ id, name: nameOf(id), family: id }))
    // CPU time, because other processes can keep this one waiting.
    const cpu = () => process.cpuUsage().user / 1000
    let [last, longest] = [cpu(), 0]
    const tick = () => {
      const now = cpu()
      longest = Math.max(longest, now - last)
      last = now
    }
    const ticks = setInterval(tick, 1)
    expect((await groupCloseNames(products, 1_000)).isComplete).toBe(false)
    tick()
    clearInterval(ticks)
    expect(longest).toBeLessThan(700)
  },
)
