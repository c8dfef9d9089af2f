import { isDuplicateVariant } from '../../catalog/structure/duplicate-variant.ts'
import { bindUnbound, findUnboundParents } from '../../catalog/structure/unbound-variants.ts'
import {
  findWrongReferences,
  rebuildReferences,
  type WrongProduct,
} from '../../catalog/structure/wrong-references.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import { type Check, type Finding, failure, ok, onDatabase } from './check.ts'

/** A statement looks at so many products, each with up to 251 references: that stays within its time limit. */
const productsAtOnce = 500
const repairedAtOnce = 100
const mostTold = 5

/** How many there are, and the first of them. */
type Some = { count: number; first: number[] }
type Found = { wrong: number; misplaced: Some; alike: Some }

/** Compares what products say of each other with the table that this is asked by. */
export const structureCheck: Check = onDatabase('structure', async (database, { repair }) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('product_references') is not null as found`,
  )
  if (table?.found !== true) return ok('nothing to compare before the migrations are applied')
  const found = await walk(database, repair)
  const unbound = await findUnbound(database, repair)
  return unbound ?? judge(found, repair)
})

/** Variants that came before their parent are bound to it; those that do not fit are left to the reader. */
async function findUnbound(database: Database, repair: boolean): Promise<Finding | undefined> {
  const misfits: Some = { count: 0, first: [] }
  let reason = ''
  const parents = await findUnboundParents(database)
  for (const parent of parents) {
    const conflict = repair ? await bindUnbound(database, parent) : undefined
    if (conflict === undefined && repair) continue
    add(misfits, parent.id)
    reason ||= conflict?.extras.errors?.[0]?.message ?? conflict?.message ?? ''
  }
  if (misfits.count === 0) return undefined
  const said = `variants that were written before their parent are not bound to ${told(misfits)}`
  return repair
    ? failure(`${said}: ${reason}`, 'change these variants, then run "catalog doctor --repair" again')
    : failure(said, 'run "catalog doctor --repair"')
}

async function walk(database: Database, repair: boolean): Promise<Found> {
  const found: Found = { wrong: 0, misplaced: { count: 0, first: [] }, alike: { count: 0, first: [] } }
  let after = { project_id: 0, id: 0 }
  for (;;) {
    const next = await findWrongReferences(database, after, productsAtOnce)
    if (next === undefined) return found
    const differing = next.wrong.filter(({ is_misplaced }) => !is_misplaced)
    const misplaced = next.wrong.filter(({ is_misplaced }) => is_misplaced)
    found.wrong += differing.length
    for (const { id } of misplaced) add(found.misplaced, id)
    if (repair) for (const id of await repairProducts(database, differing)) add(found.alike, id)
    after = next.last
  }
}

function add(some: Some, id: number): void {
  some.count += 1
  if (some.first.length < mostTold) some.first.push(id)
}

/** Returns those that cannot be repaired, because another variant has their values. */
async function repairProducts(database: Database, products: readonly WrongProduct[]): Promise<number[]> {
  const alike: number[] = []
  for (const [project, own] of Map.groupBy(products, ({ project_id }) => project_id))
    for (let from = 0; from < own.length; from += repairedAtOnce) {
      const ids = own.slice(from, from + repairedAtOnce).map(({ id }) => id)
      if (await rebuild(database, project, ids)) continue
      for (const id of ids) if (!(await rebuild(database, project, [id]))) alike.push(id)
    }
  return alike
}

async function rebuild(database: Database, project: number, ids: number[]): Promise<boolean> {
  try {
    await database.transaction((tx) => rebuildReferences(tx, project, ids))
    return true
  } catch (error) {
    if (!isDuplicateVariant(error)) throw error
    return false
  }
}

function judge({ wrong, misplaced, alike }: Found, repair: boolean): Finding {
  if (misplaced.count > 0)
    return failure(
      `the parent of ${told(misplaced)} is not configurable`,
      'give each another parent, or none: PATCH /v2/products/ID {"parent": null}',
    )
  if (alike.count > 0)
    return failure(
      `another variant of its parent has the values of ${told(alike)}`,
      'change the values of one of them, then run "catalog doctor --repair" again',
    )
  if (wrong === 0) return ok('the table of references agrees with what products say of each other')
  if (repair) return ok(`the references of ${wrong} products were wrong and are right now`)
  return failure(
    `the references of ${wrong} products differ from what the products say`,
    'run "catalog doctor --repair"; and look who writes to the tables past the service',
  )
}

function told({ count, first }: Some): string {
  const more = count > first.length ? ` and ${count - first.length} more` : ''
  return `${count === 1 ? 'product' : 'products'} ${first.join(', ')}${more}`
}
