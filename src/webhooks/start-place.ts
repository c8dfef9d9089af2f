import type { Writable } from '../database/database.ts'
import { type Cursor, parseCursor } from '../events/cursor.ts'
import { numberEvents } from '../events/number-events.sql.ts'
import { findHead, findPlace } from '../events/place.sql.ts'
import { Problem } from '../http/problems.ts'

/** The place of the feed that a body names: the end of it, its beginning, or a cursor that it still holds. */
export async function findStart(
  database: Writable,
  projectId: number,
  text: string,
  pointer: string,
): Promise<Cursor> {
  if (text === 'now') {
    // What is committed already is no news.
    await numberEvents(database)
    return findHead(database, projectId)
  }
  const cursor = parseCursor(text)
  if (cursor === undefined) {
    const message = 'must be now, 0, or a cursor of the feed'
    throw new Problem('invalid_body', { errors: [{ pointer, code: 'invalid_cursor', message }] })
  }
  await findPlace(database, projectId, cursor, 0)
  return cursor
}
