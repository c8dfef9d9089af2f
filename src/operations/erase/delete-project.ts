import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import { lockProject, type Project } from '../../access/projects/project.sql.ts'
import { markUnrecordedChange } from '../../model/freshness/unrecorded-change.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { isReferenceGone } from '../../platform/database/failures.ts'
import { operationLimits } from '../limits.ts'
import { deleteProducts, lockProductsAfter } from './delete-products.sql.ts'
import {
  afterProducts,
  announceDeletion,
  beforeProducts,
  closeAccess,
  countProductRows,
  deleteProjectRow,
  deleteSome,
  deleteSomeOfProducts,
  hasRows,
  lockCounts,
} from './delete-project.sql.ts'

/** Receives the number of deleted rows and the approximate total. */
type Progress = (deleted: number, all: number) => void

/**
 * Deletes a project with all its data except the audit trail. It disables the API first, then deletes rows in batches of one
 * transaction each, so that an interrupted deletion can be continued.
 */
export async function deleteProject(
  database: Database,
  actor: Actor,
  id: number,
  onProgress: Progress = () => {},
): Promise<Project> {
  const project = await closeProject(database, actor, id)
  const all = await countProductRows(database, id)
  let deleted = 0
  const count = (rows: number) => {
    deleted += rows
    onProgress(deleted, Math.max(all, deleted))
  }
  // Requests that started earlier, or an operator in the console, may still write.
  for (let left = operationLimits.deletionRounds; left > 0; left -= 1)
    if ((await emptyProject(database, id, count)) && (await removeProject(database, actor, project)))
      return project
  throw new Error(
    `another client keeps writing to project ${id}; its API access is now disabled, so delete it again later`,
  )
}

function closeProject(database: Database, actor: Actor, id: number): Promise<Project> {
  return database.transaction(async (tx) => {
    const project = await lockProject(tx, id)
    await closeAccess(tx, id)
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

/** Returns false if a concurrent write references a deleted row. */
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
      await markUnrecordedChange(tx, [id])
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
      await markUnrecordedChange(tx, [id])
      const locked = await lockProductsAfter(tx, id, last as number, operationLimits.deletedProducts)
      if (locked.length > 0) await deleteProducts(tx, id, locked)
      return locked
    })
    count(ids.length)
    last = ids.at(-1)
  }
}

/** Returns false if the project is not empty. The lock on its row keeps it empty until it is deleted. */
function removeProject(database: Database, actor: Actor, { id, name, plan }: Project): Promise<boolean> {
  return database.transaction(async (tx) => {
    await lockCounts(tx)
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
