import type { Queryable, Transaction } from '../../../platform/database/database.ts'
import { sql } from '../../../platform/database/sql.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { Place } from '../lane-place.ts'
import type { Outcome } from '../post-event.ts'

/** Columns count as far, and the next try still has a number. */
const mostTries = 32_766

type Key = { projectId: number; webhookId: number }

export async function insertParked(
  tx: Transaction,
  { projectId, webhookId }: Key,
  { id, cursor, type }: CatalogEvent,
  { number, position }: Place,
  tries: number,
  { status, error }: Pick<Outcome, 'status' | 'error'>,
): Promise<void> {
  await tx.query(sql`
    insert into webhook_parked (project_id, webhook_id, event_id, cursor, number, position, type, tries, status, error)
    values (${projectId}, ${webhookId}, ${id}, ${cursor}, ${number}, ${position}, ${type}, ${tries}, ${status}, ${error})`)
}

export type ParkedEvent = Key & {
  id: number
  event_id: string
  number: number
  position: number
  tries: number
}

/** The oldest event of a webhook that is to be tried again. */
export async function findRetry(
  database: Queryable,
  { projectId, webhookId }: Key,
): Promise<ParkedEvent | undefined> {
  const [row] = await database.query(sql<ParkedEvent>`
    select project_id as "projectId", webhook_id as "webhookId", id, event_id, number, position, tries from webhook_parked
    where project_id = ${projectId} and webhook_id = ${webhookId} and retry_at is not null order by id limit 1`)
  return row
}

export async function deleteParked(
  tx: Transaction,
  { projectId, webhookId, id }: Key & { id: number },
): Promise<void> {
  await tx.query(sql`
    delete from webhook_parked where project_id = ${projectId} and webhook_id = ${webhookId} and id = ${id}`)
}

/** It stays parked until somebody lets it be tried again. */
export async function keepParked(
  tx: Transaction,
  { projectId, webhookId, id }: Key & { id: number },
  { status, error }: Pick<Outcome, 'status' | 'error'>,
): Promise<void> {
  await tx.query(sql`
    update webhook_parked set retry_at = null, tries = least(tries + 1, ${mostTries}), status = ${status}, error = ${error}
    where project_id = ${projectId} and webhook_id = ${webhookId} and id = ${id}`)
}
