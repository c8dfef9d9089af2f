import { type Actor, insertAuditEntry } from '../../access/audit/audit.sql.ts'
import type { Transaction } from '../../platform/database/database.ts'

export function recordWebhookAction(
  tx: Transaction,
  actor: Actor,
  action: string,
  projectId: number,
  id: number,
  details: object,
): Promise<void> {
  return insertAuditEntry(tx, actor, { action, projectId, target: `webhook ${id}`, details })
}
