import pg from 'pg'
import { choose } from './reads.ts'
import { median } from './servers/temporary-database.ts'
import { readText, type Shop } from './shop.ts'
import { detailWork, sharedWorks } from './works.ts'

/** Milliseconds of one read by one client: the service, and plain SQL with count(*), limit and offset. */
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

/** Times of a detail and of pages at several depths, which show the cost of deep pages. */
export async function pageTimes(
  shop: Shop,
  products: number,
  connection: pg.ClientConfig,
): Promise<PageTime[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const found: PageTime[] = []
  for (const { name, path, plain } of [detailWork(shop), ...(await sharedWorks(shop))]) {
    const { text, values } = plain
    found.push({
      products,
      work: name,
      service: await time(() => readText(shop, choose(path)), turns),
      plain: await time(() => client.query({ name, text, values: values() }), turns),
    })
  }
  await client.end()
  return found
}
