import { sql } from '../../platform/database/sql.ts'

/** Null if unknown, or if it comes from another server with higher transaction ids. */
const seen = sql`(select seen from event_numbering where pg_snapshot_xmax(seen) <= pg_snapshot_xmax(pg_current_snapshot()))`

/**
 * Rows that may be unnumbered: those of transactions that began after `seen`, or were running then. This skips numbered rows, however
 * long an old transaction prevents their cleanup.
 */
export const isUnnumbered = sql`(xid >= coalesce(pg_snapshot_xmax(${seen}), '0') or xid = any(array(select pg_snapshot_xip(${seen}))))`
