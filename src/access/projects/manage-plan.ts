import type { Writable } from '../../platform/database/database.ts'
import { type Actor, insertAuditEntry } from '../audit/audit.sql.ts'
import { lockPlan, type Plan, updateStorage } from './plan.sql.ts'

/** Changes what the projects of a plan can store. Less than they have stops uploads and deletes nothing. */
export function changePlanStorage(
  database: Writable,
  actor: Actor,
  code: string,
  storageBytes: number | null,
): Promise<Plan> {
  return database.transaction(async (tx) => {
    const before = await lockPlan(tx, code)
    if (before === undefined) throw new Error(`there is no plan ${code}; "catalog plan list" lists all plans`)
    const after = await updateStorage(tx, code, storageBytes)
    if (before.storage_bytes === after.storage_bytes) return after
    await insertAuditEntry(tx, actor, {
      action: 'plan.change',
      target: `plan ${code}`,
      details: { storage_bytes: { before: before.storage_bytes, after: after.storage_bytes } },
    })
    return after
  })
}
