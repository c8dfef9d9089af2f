import type { Queryable } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { EventType } from './event-types.ts'

/** An object that changed: what it was, and what it is now; null where it was not, or is no more. */
export type ChangedObject = { id: number; version?: number; before?: object | null; after?: object | null }

export type Change = {
  type: EventType
  actor: string
  source: 'api' | 'bulk' | 'cli' | 'console' | 'service'
  objects: readonly ChangedObject[]
}

/**
 * Tells of changes, in the transaction that makes them. Those of products and their stock tell themselves: the triggers of
 * migrations/0044_events.sql read their history.
 */
export async function recordEvents(
  tx: Queryable,
  projectId: number,
  { type, actor, source, objects }: Change,
): Promise<void> {
  if (objects.length === 0) return
  const lines = objects.map(({ id, version = null, before = null, after = null }) => ({
    id,
    version,
    details: { before, after },
  }))
  await tx.query(sql`
    insert into event_outbox (project_id, type, actor, source, object_ids, versions, details)
    select ${projectId}, ${type}, ${actor}, ${source}, array_agg(id), array_agg(version), array_agg(details)
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as changed (id bigint, version bigint, details jsonb)`)
}
