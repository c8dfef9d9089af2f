import { gibibyte, kibibyte, mebibyte } from '../units.ts'

/** Database */
export const databaseLimits = {
  /** Connection attempt */
  connectMilliseconds: 3_000,
  /** Idle time after which a connection is probed */
  keepAliveMilliseconds: 5_000,
  // A server that has just come back has other work to do.
  /** Connections that are opened at once */
  openings: 4,
  /** Time that a read of single objects waits for a connection; then 503 `too_busy` */
  readWaitSeconds: 3,
  /** Time that a command waits for a connection */
  commandWaitSeconds: 30,
  /** Time for which a commit without an answer keeps its connection */
  commitMilliseconds: 60_000,
  /** Open connections when the service stops */
  closeMilliseconds: 3_000,
  /** Attempts of a transaction after a deadlock or serialization failure */
  attempts: 5,
  /** Time that a single write waits for another writer before it makes room for other writes */
  lockMilliseconds: 30,
  // Ends forgotten transactions, which would keep a connection, locks and a snapshot.
  /** Idle transaction */
  idleTransactionSeconds: 60,
  // A slow reader of an export may take minutes for one batch.
  /** Idle snapshot of an export */
  idleSnapshotSeconds: 300,
  /** Statement of a transaction that writes many rows */
  bulkStatementSeconds: 30,
  /** Batches of pushes that are written at once, per worker and project */
  batchesOfProject: 3,
  /** Single writes that share a transaction */
  sharedWrites: 100,
  /** Size of single writes that share a transaction */
  sharedBytes: 512 * kibibyte,
  /** Statement of a shared transaction */
  sharedSeconds: 2,
  /** Rows that one statement of a cleanup deletes */
  deletedRows: 500,
  /** Prepared statements per connection */
  preparedStatements: 250,
} as const

/** Schema upgrades */
export const schemaUpgradeLimits = {
  // Writers queue behind a lock that is waited for.
  /** Time that a migration waits for a lock before it tries again */
  lockMilliseconds: 500,
  /** Rows that a migration changes at once */
  batchRows: 500,
  // Writers of these rows wait until the batch ends.
  /** Time in which a migration changes rows at once */
  batchMilliseconds: 500,
  // Less than the batch has, so that a row which a writer holds is not taken for a batch that is too large.
  /** Time that a migration waits for one row */
  rowLockMilliseconds: 200,
} as const

/** Embedded PostgreSQL */
export const embeddedLimits = {
  /** Start, including recovery */
  startSeconds: 60,
  /** Time that a process waits until the server has stopped */
  stopSeconds: 8,
  // Longer than the last user takes to stop the server.
  /** Time that a process waits while another one starts or stops the server */
  waitSeconds: 15,
  // Without room for its log, PostgreSQL ends, and reads end with it.
  /** Free disk space below which writes get 503 */
  reservedBytes: 128 * mebibyte,
  /** Least memory for shared buffers */
  leastBufferBytes: 128 * mebibyte,
  // More would cost every start, and a catalog that outgrows it is for a server of its own.
  /** Most memory for shared buffers, which get a quarter of the memory of the machine */
  bufferBytes: 2 * gibibyte,
} as const
