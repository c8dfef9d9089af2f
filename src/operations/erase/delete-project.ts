import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import { lockProject, type Project } from '../../access/projects/project.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { isReferenceGone } from '../../platform/database/failures.ts'
import { operationLimits } from '../limits.ts'
import { deleteProducts, lockProductsAfter } from './delete-products.sql.ts'
import {
  afterProducts,
  announceDeletion,
  beforeProducts,
  countRows,
  deleteProjectRow,
  deleteSome,
  deleteSomeOfProducts,
  hasRows,
  holdCounts,
  shutOut,
} from './delete-project.sql.ts'

/** How many rows are deleted, and about how many there are. */
type Progress = (deleted: number, all: number) => void

/**
 * Deletes a project with all that it has but its lines in the audit trail. The API is closed first; then rows go in batches that are
 * a transaction each, so that a deletion that was cut off is finished by another one.
 */
export async function deleteProject(
  database: Database,
  actor: Actor,
  id: number,
  report: Progress = () => {},
): Promise<Project> {
  const project = await closeProject(database, actor, id)
  const all = await countRows(database, id)
  let deleted = 0
  const count = (rows: number) => {
    deleted += rows
    report(deleted, Math.max(all, deleted))
  }
  // Whoever was let in before the API was closed, or an operator in the console, may write meanwhile.
  for (let left = operationLimits.deletionRounds; left > 0; left -= 1)
    if ((await emptyProject(database, id, count)) && (await removeProject(database, actor, project)))
      return project
  throw new Error(`somebody keeps writing to project ${id}; the API is closed to it: delete it again later`)
}

function closeProject(database: Database, actor: Actor, id: number): Promise<Project> {
  return database.transaction(async (tx) => {
    const project = await lockProject(tx, id)
    await shutOut(tx, id)
    const { name } = project
    await insertAuditEntry(tx, actor, {
      action: 'project.close',
      projectId: id,
      target: `project ${id}`,
      details: { name },
    })
    return project
  })
}

/** False where something was written meanwhile that refers to what should go. */
async function emptyProject(database: Database, id: number, count: (rows: number) => void): Promise<boolean> {
  try {
    for (const table of beforeProducts) await emptyTableOfProducts(database, table, id, count)
    await deleteAllProducts(database, id, count)
    for (const table of afterProducts) await emptyTable(database, table, id)
    return true
  } catch (error) {
    if (!isReferenceGone(error)) throw error
    return false
  }
}

async function emptyTable(
  database: Database,
  table: (typeof afterProducts)[number],
  id: number,
): Promise<void> {
  const deleteBatch = () =>
    database.transaction(async (tx) => {
      await announceDeletion(tx, id)
      return deleteSome(tx, table, id, operationLimits.deletedRows)
    })
  while ((await deleteBatch()) > 0);
}

async function emptyTableOfProducts(
  database: Database,
  table: (typeof beforeProducts)[number],
  id: number,
  count: (rows: number) => void,
): Promise<void> {
  let from: number | null = 0
  while (from !== null) {
    const batch: Awaited<ReturnType<typeof deleteSomeOfProducts>> = await database.transaction((tx) =>
      deleteSomeOfProducts(tx, table, id, from as number, operationLimits.deletedRows),
    )
    count(batch.count)
    from = batch.last
  }
}

async function deleteAllProducts(
  database: Database,
  id: number,
  count: (rows: number) => void,
): Promise<void> {
  let last: number | undefined = 0
  while (last !== undefined) {
    const ids: number[] = await database.transaction(async (tx) => {
      const locked = await lockProductsAfter(tx, id, last as number, operationLimits.deletedProducts)
      if (locked.length > 0) await deleteProducts(tx, id, locked)
      return locked
    })
    count(ids.length)
    last = ids.at(-1)
  }
}

/** False where the project is not empty. Its row is locked, so that it stays empty until it is gone. */
function removeProject(database: Database, actor: Actor, { id, name, plan }: Project): Promise<boolean> {
  return database.transaction(async (tx) => {
    await holdCounts(tx)
    await lockProject(tx, id)
    if (await hasRows(tx, id)) return false
    await deleteProjectRow(tx, id)
    await insertAuditEntry(tx, actor, {
      action: 'project.delete',
      projectId: id,
      target: `project ${id}`,
      details: { name, plan },
    })
    return true
  })
}
