import { sql } from '../database/sql.ts'
import { findFeedLag } from '../events/feed-lag.sql.ts'
import { findMissingEvents } from '../events/missing-events.sql.ts'
import { type Check, failure, ok, onDatabase, warning } from './check.ts'

/** A service numbers events within a second, or two. */
const longestLagSeconds = 60

/** Compares the feed of events with the history of products, and looks whether events get their numbers. */
export const eventsCheck: Check = onDatabase('events', async (database) => {
  const [table] = await database.query(
    sql<{ found: boolean }>`select to_regclass('event_feed') is not null as found`,
  )
  if (table?.found !== true) return ok('nothing to compare before the migrations are applied')
  const { looked, missing, first } = await findMissingEvents(database)
  if (missing > 0)
    return failure(
      `${missing} of the latest ${looked} changes of products are in no event, such as ${first.join(', ')}`,
      'look who writes to the tables without their triggers; who keeps a copy by events has to take a new export',
    )
  const lag = await findFeedLag(database)
  if (lag > longestLagSeconds)
    return warning(
      `an event waits for its number since ${Math.round(lag)} seconds`,
      'see that a service runs, and its log: "numbering of events"',
    )
  if (looked === 0) return ok('no change of a product is younger than the feed of events')
  return ok(`the latest ${looked} changes of products are all in the feed of events`)
})
