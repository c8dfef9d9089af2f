import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'

/** Writes the line of the audit trail. */
export function recordWebhookAct(
  tx: Transaction,
  actor: Actor,
  action: string,
  projectId: number,
  id: number,
  details: object,
): Promise<void> {
  return insertAuditEntry(tx, actor, { action, projectId, target: `webhook ${id}`, details })
}
