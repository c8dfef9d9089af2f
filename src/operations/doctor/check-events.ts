import { findFeedLag } from '../../delivery/events/feed-lag.sql.ts'
import { findMissingEvents } from '../../delivery/events/missing-events.sql.ts'
import { sql } from '../../platform/database/sql.ts'
import { doctorLimits } from '../limits.ts'
import { type Check, failure, ok, onDatabase, warning } from './check.ts'

/** Compares the event feed with the latest changes of every kind, and checks that events get their numbers. */
export const eventsCheck: Check = onDatabase('events', async (database) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('event_feed') is not null as found`,
  )
  if (table?.found !== true) return ok('not checked until the migrations are applied')
  const { checked, missing, first } = await findMissingEvents(database)
  if (missing > 0)
    return failure(
      `${missing} of the latest ${checked} changes have no event, such as ${first.join(', ')}`,
      'find out what writes to the tables with triggers disabled; clients that sync by events need a new export',
    )
  const lag = await findFeedLag(database)
  if (lag > doctorLimits.eventSeconds)
    return warning(
      `an event has waited ${Math.round(lag)} seconds for its number`,
      'check that a service runs, and search its log for "numbering of events"',
    )
  if (checked === 0) return ok('no change is newer than the event feed')
  return ok(`the latest ${checked} changes are all in the event feed`)
})
