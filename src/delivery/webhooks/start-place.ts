import { type Cursor, parseCursor } from '../../model/events/cursor.ts'
import { findFeedHead, findFeedPosition } from '../../model/events/feed-position.sql.ts'
import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { readValue } from '../../platform/http/query/query-values.ts'
import { findPlaceOfMoment } from '../events/moment-place.sql.ts'
import { numberCommitted } from '../events/number-events.sql.ts'

/** The place of the feed that a body names: the end of it, its beginning, a moment, or a cursor that it still holds. */
export async function findStart(
  database: Writable,
  projectId: number,
  text: string,
  pointer: string,
): Promise<Cursor> {
  if (text === 'now') {
    // Whatever is committed by now is before the head once it has its number.
    await numberCommitted(database)
    return findFeedHead(database, projectId)
  }
  const moment = readValue({ format: 'date-time' }, text)
  if (typeof moment === 'string') return findPlaceOfMoment(database, projectId, moment)
  const cursor = parseCursor(text)
  if (cursor === undefined) {
    const message = 'must be now, 0, a cursor of the feed, or a time such as 2027-01-31T12:00:00Z'
    throw new Problem('invalid_body', { errors: [{ pointer, code: 'invalid_cursor', message }] })
  }
  await findFeedPosition(database, projectId, cursor, 0)
  return cursor
}
