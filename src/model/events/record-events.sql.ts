import type { Queryable } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'
import type { EventType } from './event-types.ts'
import { fitDetails } from './fit-details.ts'

/** An object before and after a change; null if it did not exist before, or was deleted. */
export type ChangedObject = { id: number; version?: number; before?: object | null; after?: object | null }

/** Who changed an object, and how. `service`: the service itself. */
export type ChangeAuthor = { actor: string; source: 'api' | 'bulk' | 'cli' | 'console' | 'service' }

export type Change = ChangeAuthor & { type: EventType; objects: readonly ChangedObject[] }

/** A change to more objects becomes several records. */
const objectsPerRecord = 500

/**
 * Records changes in order, in the transaction that makes them and after it has locked the changed objects. Product and stock events
 * come from the triggers in migrations/0044_events.sql. For older releases that do not record a type, triggers do
 * (migrations/0060_events_of_older_releases.sql).
 */
export async function recordEvents(tx: Queryable, projectId: number, ...changes: Change[]): Promise<void> {
  const records = changes.flatMap(recordsOf)
  if (records.length === 0) return
  await tx.query(sql`
    insert into event_outbox (project_id, type, actor, source, object_ids, versions, details)
    select ${projectId}, record ->> 'type', record ->> 'actor', record ->> 'source',
           array(select (one ->> 'id')::bigint from jsonb_array_elements(record -> 'objects') as one),
           array(select (one ->> 'version')::bigint from jsonb_array_elements(record -> 'objects') as one),
           array(select one -> 'details' from jsonb_array_elements(record -> 'objects') as one)
    from jsonb_array_elements(${JSON.stringify(records)}::jsonb) with ordinality as given (record, place) order by place`)
}

function recordsOf({ type, actor, source, objects }: Change): object[] {
  const lines = objects.map(({ id, version, before = null, after = null }) => ({
    id,
    version,
    details: fitDetails({ before, after }),
  }))
  const records: object[] = []
  for (let start = 0; start < lines.length; start += objectsPerRecord)
    records.push({ type, actor, source, objects: lines.slice(start, start + objectsPerRecord) })
  return records
}
