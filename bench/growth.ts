import pg from 'pg'
import { countAndOffset } from './plain-sql.ts'
import { readText, type Shop } from './shop.ts'
import { median } from './throw-away.ts'

/** Milliseconds of one page, asked for by one client: ours, and the same as count(*) with limit and offset. */
export type PageTime = { products: number; depth: string; service: number; plain: number }

const filter = '/v2/products?status=active&product_type=simple'
const where = 'project_id = $1 and status = $2 and product_type = $3'
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

/** The first, the middle and the last page. */
export async function pageTimes(
  shop: Shop,
  products: number,
  connection: pg.ClientConfig,
): Promise<PageTime[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { count } = JSON.parse(await readText(shop, filter)) as { count: number }
  const pages = Math.ceil(count / 20)
  const found: PageTime[] = []
  for (const [depth, page] of [
    ['first', 1],
    ['middle', Math.ceil(pages / 2)],
    ['last', pages],
  ] as const) {
    const { text, values } = countAndOffset(where, [shop.project, 'active', 'simple'], (page - 1) * 20)
    found.push({
      products,
      depth,
      service: await time(() => readText(shop, `${filter}&page=${page}`), turns),
      plain: await time(() => client.query({ name: `page ${page}`, text, values: values() }), turns),
    })
  }
  await client.end()
  return found
}
