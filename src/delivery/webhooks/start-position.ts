import { type Cursor, parseCursor } from '../../model/events/cursor.ts'
import { findFeedHead, findFeedPosition } from '../../model/events/feed-position.sql.ts'
import type { Writable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { readValue } from '../../platform/http/query/query-values.ts'
import { numberCommitted } from '../events/number-events.sql.ts'
import { findPositionAtTime } from '../events/position-at-time.sql.ts'

/** The position in the feed that a body names: its end, its beginning, a time, or a cursor that it still contains. */
export async function findStartPosition(
  database: Writable,
  projectId: number,
  text: string,
  pointer: string,
): Promise<Cursor> {
  if (text === 'now') {
    // Everything committed so far is before the head once it has a number.
    await numberCommitted(database, { project: projectId })
    return findFeedHead(database, projectId)
  }
  const time = readValue({ format: 'date-time' }, text)
  if (typeof time === 'string') return findPositionAtTime(database, projectId, time)
  const cursor = parseCursor(text)
  if (cursor === undefined) {
    const message = 'must be now, 0, a cursor of the feed, or a time such as 2027-01-31T12:00:00Z'
    throw new Problem('invalid_body', { errors: [{ pointer, code: 'invalid_cursor', message }] })
  }
  await findFeedPosition(database, projectId, cursor, 0)
  return cursor
}
