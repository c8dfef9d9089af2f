import type { Queryable, Transaction } from '../../database/database.ts'
import { sql } from '../../database/sql.ts'
import type { CatalogEvent } from '../../events/event.schema.ts'
import type { Place } from '../lane-place.ts'
import type { Outcome } from '../post-event.ts'
import { openWebhooks } from './lane.sql.ts'

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

/**
 * Takes events that are to be tried again: of each webhook the oldest, unless it is being tried; of every project one before a second
 * one of another. Whoever takes one and ends leaves it to others after the time.
 */
export function takeParked(
  database: Queryable,
  most: number,
  holdMilliseconds: number,
): Promise<ParkedEvent[]> {
  return database.query(sql<ParkedEvent>`
    with waiting as materialized (
      select webhook.project_id, webhook.id as webhook_id, first.id
      from ${openWebhooks}
      cross join lateral (
        select id, retry_at from webhook_parked as parked
        where parked.project_id = webhook.project_id and parked.webhook_id = webhook.id and retry_at is not null
        order by id limit 1
      ) as first
      where webhook.disabled_reason is null and first.retry_at <= clock_timestamp()
    ), due as materialized (
      select * from waiting order by row_number() over (partition by project_id order by random()), random() limit ${most}
    )
    update webhook_parked as parked set retry_at = clock_timestamp() + ${holdMilliseconds} * interval '1 millisecond'
    from due where (parked.project_id, parked.webhook_id, parked.id) = (due.project_id, due.webhook_id, due.id)
      and parked.retry_at <= clock_timestamp()
    returning parked.project_id as "projectId", parked.webhook_id as "webhookId", parked.id, parked.event_id, parked.number,
              parked.position, parked.tries`)
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
