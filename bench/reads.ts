import type pg from 'pg'
import { load, type Measured, type Path } from './load.ts'
import { countAndOffset, runPlainly, type Statement } from './plain-sql.ts'
import { serveBare } from './served.ts'
import { readText, type Shop } from './shop.ts'
import { median } from './throw-away.ts'

/** What is measured, and the same work in plain SQL where it has one. */
export type Work = { name: string; path: Path; plain?: Statement }

const filter = '/v2/products?status=active&product_type=simple'

export async function readWorks(shop: Shop): Promise<Work[]> {
  const { project, category, ids } = shop
  const { count } = JSON.parse(await readText(shop, filter)) as { count: number }
  const pages = Math.ceil(count / 20)
  const middle = Math.ceil(pages / 2)
  const ofKind = 'project_id = $1 and status = $2 and product_type = $3'
  const linked =
    'id in (select product_id from product_categories where project_id = $1 and category_id = $2)'
  const kind = [project, 'active', 'simple']
  const someId = () => ids[Math.floor(Math.random() * ids.length)]
  const page = (name: string, number: number): Work => ({
    name,
    path: `${filter}&page=${number}`,
    plain: countAndOffset(ofKind, kind, (number - 1) * 20),
  })
  return [
    {
      name: 'W1 detail, random id',
      path: () => `/v2/products/${someId()}`,
      plain: {
        text: 'select * from products where project_id = $1 and id = $2',
        values: () => [project, someId()],
      },
    },
    page('W2 list, first page', 1),
    page('W3 list, middle page', middle),
    page('W3 list, last page', pages),
    { name: 'W3 list, random page', path: () => `${filter}&page=${1 + Math.floor(Math.random() * pages)}` },
    {
      name: 'W4 list, category',
      path: `/v2/products?category=${category}`,
      plain: countAndOffset(`project_id = $1 and ${linked}`, [project, category], 0),
    },
    {
      name: 'W4 list, category, status, type',
      path: `${filter}&category=${category}`,
      plain: countAndOffset(
        `project_id = $1 and status = $3 and product_type = $4 and ${linked}`,
        [project, category, 'active', 'simple'],
        0,
      ),
    },
  ]
}

export type Row = { name: string; service: Measured; bare: Measured; plain: Measured | undefined }
export type Effort = { rounds: number; seconds: number }

/**
 * Several rounds, in which the works take turns, and for each bare node:http with the same body, the service and plain SQL;
 * medians of each. A machine that slows down for a while then slows down all of them.
 */
export async function measureWorks(
  shop: Shop,
  connection: pg.ClientConfig | undefined,
  { rounds, seconds }: Effort,
): Promise<Row[]> {
  const works = await Promise.all(
    (await readWorks(shop)).map(async (work) => ({
      ...work,
      bare: await serveBare(await readText(shop, typeof work.path === 'string' ? work.path : work.path())),
      taken: { service: [] as Measured[], bare: [] as Measured[], plain: [] as Measured[] },
    })),
  )
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const { path, plain, bare, taken } of works) {
        taken.bare.push(await load(bare.url, shop.token, path, seconds))
        taken.service.push(await load(shop.url, shop.token, path, seconds))
        if (plain !== undefined && connection !== undefined)
          taken.plain.push(await runPlainly(connection, plain, seconds))
      }
  } finally {
    await Promise.all(works.map(({ bare }) => bare.stop()))
  }
  return works.map(({ name, taken }) => ({
    name,
    service: middleOf(taken.service),
    bare: middleOf(taken.bare),
    plain: taken.plain.length > 0 ? middleOf(taken.plain) : undefined,
  }))
}

function middleOf(all: Measured[]): Measured {
  const of = (name: keyof Measured) => median(all.map((one) => one[name]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}
