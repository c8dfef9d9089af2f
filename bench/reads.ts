import type pg from 'pg'
import { load, type Measured, type Path } from './load.ts'
import { runPlainly } from './plain-sql.ts'
import { serveBare } from './served.ts'
import { readText, type Shop } from './shop.ts'
import { median } from './throw-away.ts'
import type { Work } from './works.ts'

export type Row = { name: string; service: Measured; bare: Measured; plain: Measured | undefined }
export type Effort = { rounds: number; seconds: number }

export function choose(path: Path): string {
  return typeof path === 'string' ? path : path()
}

/**
 * Several rounds, in which the works take turns, and for each bare node:http with the same body, the service and plain SQL;
 * medians of each. A machine that slows down for a while then slows down all of them.
 */
export async function measureWorks(
  shop: Shop,
  works: Work[],
  connection: pg.ClientConfig | undefined,
  { rounds, seconds }: Effort,
): Promise<Row[]> {
  const measured = await Promise.all(
    works.map(async (work) => ({
      ...work,
      bare: await serveBare(await readText(shop, choose(work.path))),
      taken: { service: [] as Measured[], bare: [] as Measured[], plain: [] as Measured[] },
    })),
  )
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const { path, plain, bare, taken } of measured) {
        taken.bare.push(await load(bare.url, shop.token, path, seconds))
        taken.service.push(await load(shop.url, shop.token, path, seconds))
        if (connection !== undefined) taken.plain.push(await runPlainly(connection, plain, seconds))
      }
  } finally {
    await Promise.all(measured.map(({ bare }) => bare.stop()))
  }
  return measured.map(({ name, taken }) => ({
    name,
    service: middleOf(taken.service),
    bare: middleOf(taken.bare),
    plain: taken.plain.length > 0 ? middleOf(taken.plain) : undefined,
  }))
}

export function middleOf(all: Measured[]): Measured {
  const of = (name: keyof Measured) => median(all.map((one) => one[name]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}
