import pg from 'pg'
import { readWorks } from './reads.ts'
import { readText, type Shop } from './shop.ts'
import { median } from './throw-away.ts'

/** Milliseconds of one read, asked for by one client: ours, and the same in plain SQL with count(*), limit and offset. */
export type PageTime = { products: number; work: string; service: number; plain: number }

const turns = 200
const plainMilliseconds = 3_000

async function time(work: () => Promise<unknown>, most: number): Promise<number> {
  const times: number[] = []
  const end = performance.now() + plainMilliseconds
  await work()
  for (let turn = 0; turn < most && (turn < 3 || performance.now() < end); turn += 1) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return median(times)
}

/** W1 to W4, one client. */
export async function pageTimes(
  shop: Shop,
  products: number,
  connection: pg.ClientConfig,
): Promise<PageTime[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const found: PageTime[] = []
  for (const { name, path, plain } of await readWorks(shop)) {
    if (plain === undefined) continue
    const { text, values } = plain
    found.push({
      products,
      work: name,
      service: await time(() => readText(shop, typeof path === 'string' ? path : path()), turns),
      plain: await time(() => client.query({ name, text, values: values() }), turns),
    })
  }
  await client.end()
  return found
}
