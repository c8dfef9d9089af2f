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

/** Products per statement, each with up to 251 references, so that a statement stays within its time limit. */
const checkedPerStatement = 500
const repairedPerStatement = 100
const maxListed = 5

/** The number of products and the first of their IDs. */
type Sample = { count: number; first: number[] }
type Found = { wrong: number; misplaced: Sample; alike: Sample }

/** Compares the references in products with the table that indexes them. */
export const structureCheck: Check = onDatabase('structure', async (database, { repair }) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('product_references') is not null as found`,
  )
  if (table?.found !== true) return ok('not checked until the migrations are applied')
  const found = await walk(database, repair)
  const unbound = await findUnbound(database, repair)
  return unbound ?? judge(found, repair)
})

/** Links variants that were written before their parent. Those that do not fit are reported. */
async function findUnbound(database: Database, repair: boolean): Promise<Finding | undefined> {
  const misfits: Sample = { count: 0, first: [] }
  let reason = ''
  const parents = await findUnboundParents(database)
  for (const parent of parents) {
    const conflict = repair ? await bindUnbound(database, parent) : undefined
    if (conflict === undefined && repair) continue
    add(misfits, parent.id)
    reason ||= conflict?.extras.errors?.[0]?.message ?? conflict?.message ?? ''
  }
  if (misfits.count === 0) return undefined
  const detail = `variants that were written before their parent are not linked to ${listProducts(misfits)}`
  return repair
    ? failure(`${detail}: ${reason}`, 'change these variants, then run "catalog doctor --repair" again')
    : failure(detail, 'run "catalog doctor --repair"')
}

async function walk(database: Database, repair: boolean): Promise<Found> {
  const found: Found = { wrong: 0, misplaced: { count: 0, first: [] }, alike: { count: 0, first: [] } }
  let after = { project_id: 0, id: 0 }
  for (;;) {
    const next = await findWrongReferences(database, after, checkedPerStatement)
    if (next === undefined) return found
    const differing = next.wrong.filter(({ is_misplaced }) => !is_misplaced)
    const misplaced = next.wrong.filter(({ is_misplaced }) => is_misplaced)
    found.wrong += differing.length
    for (const { id } of misplaced) add(found.misplaced, id)
    if (repair) for (const id of await repairProducts(database, differing)) add(found.alike, id)
    after = next.last
  }
}

function add(some: Sample, id: number): void {
  some.count += 1
  if (some.first.length < maxListed) some.first.push(id)
}

/** Returns the IDs that cannot be repaired because another variant has the same values. */
async function repairProducts(database: Database, products: readonly WrongProduct[]): Promise<number[]> {
  const alike: number[] = []
  for (const [project, own] of Map.groupBy(products, ({ project_id }) => project_id))
    for (let from = 0; from < own.length; from += repairedPerStatement) {
      const ids = own.slice(from, from + repairedPerStatement).map(({ id }) => id)
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
      `the parent of ${listProducts(misplaced)} is not configurable`,
      'set another parent, or remove it with PATCH /v2/products/ID {"parent": null}',
    )
  if (alike.count > 0)
    return failure(
      `another variant of the same parent has the same values as ${listProducts(alike)}`,
      'change the values of one of them, then run "catalog doctor --repair" again',
    )
  if (wrong === 0) return ok('all product references are consistent')
  if (repair) return ok(`fixed the references of ${wrong} products`)
  return failure(
    `the stored references of ${wrong} products do not match the products`,
    'run "catalog doctor --repair", and find out what writes to the tables without the service',
  )
}

function listProducts({ count, first }: Sample): string {
  const more = count > first.length ? ` and ${count - first.length} more` : ''
  return `${count === 1 ? 'product' : 'products'} ${first.join(', ')}${more}`
}
