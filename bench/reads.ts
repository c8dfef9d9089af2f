import type pg from 'pg'
import { load, type Measured, type Path } from './load.ts'
import { runPlainSql } from './plain-sql.ts'
import { serveBare } from './servers/served.ts'
import { median } from './servers/temporary-database.ts'
import { readText, type Shop } from './shop.ts'
import type { Work } from './works.ts'

export type Row = { name: string; service: Measured; bare: Measured; plain: Measured | undefined }
export type Effort = { rounds: number; seconds: number }

export function choose(path: Path): string {
  return typeof path === 'string' ? path : path()
}

/**
 * Medians of several rounds. Each round runs every work with bare node:http (same body), the service and plain SQL, so that
 * all of them see the same load of the machine.
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
        if (connection !== undefined) taken.plain.push(await runPlainSql(connection, plain, seconds))
      }
  } finally {
    await Promise.all(measured.map(({ bare }) => bare.stop()))
  }
  return measured.map(({ name, taken }) => ({
    name,
    service: medianOf(taken.service),
    bare: medianOf(taken.bare),
    plain: taken.plain.length > 0 ? medianOf(taken.plain) : undefined,
  }))
}

export function medianOf(all: Measured[]): Measured {
  const of = (name: keyof Measured) => median(all.map((one) => one[name]))
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99') }
}
