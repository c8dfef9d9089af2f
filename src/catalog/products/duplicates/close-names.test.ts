import { beforeAll, expect, test } from 'vitest'
import { sharedTestService, type TestService } from '../../../../test/harness.ts'
import { seededRandom } from '../../../../test/seeded-random.ts'
import { sql } from '../../../platform/database/sql.ts'
import { findClosePairs } from './close-names.ts'
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
