import { gibibyte, kibibyte, mebibyte } from '../units.ts'

/** Database */
export const databaseLimits = {
  /** Connection attempt */
  connectMilliseconds: 3_000,
  /** Idle time after which a connection is probed */
  keepAliveMilliseconds: 5_000,
  // A server that has just restarted is busy.
  /** Connections that are opened at once */
  openings: 4,
  /** Time that a read of single objects waits for a connection; then 503 `too_busy` */
  readWaitSeconds: 3,
  /** Time that a command waits for a connection */
  commandWaitSeconds: 30,
  /** Time for which a commit without a response keeps its connection */
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
  /** Connection and each query when the service checks for a pooler */
  poolerCheckMilliseconds: 5_000,
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
  // Shorter than a batch, so that a locked row is not mistaken for a batch that is too large.
  /** Time that a migration waits for one row */
  rowLockMilliseconds: 200,
  /** Shortest pause before a migration tries again to get a lock */
  firstPauseMilliseconds: 100,
  /** Longest pause before a migration tries again to get a lock */
  maxPauseMilliseconds: 2_000,
  /** Time that a migration tries to get a lock by default */
  lockPatienceSeconds: 120,
  /** Interval at which a process checks whether another one has finished migrating */
  pollMilliseconds: 100,
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
  /** Time that a process tries to connect to the server or to start it */
  joinSeconds: 90,
  /** Time after which a server that neither responds nor recovers is stopped */
  unresponsiveSeconds: 10,
  /** Connection attempt */
  connectMilliseconds: 5_000,
  /** Pause before a process connects again to a server that stopped */
  rejoinMilliseconds: 500,
  /** Time that a process that ends waits for a response of the server */
  leaveMilliseconds: 3_000,
  /** Time that a command waits for other processes to release the server */
  exclusiveWaitMilliseconds: 2_000,
  /** Time between the signals that stop a server which did not start */
  signalMilliseconds: 2_000,
  /** Time that backends of a killed server get to stop */
  orphanMilliseconds: 2_000,
  /** Interval at which a process checks the socket of the server */
  socketCheckMilliseconds: 2_000,
  /** Interval at which a process reads the log of a starting server */
  logCheckMilliseconds: 500,
  /** Time that a process waits for the log of a server that did not start */
  logWaitMilliseconds: 2_000,
  /** Part of the server log that an error message can come from */
  logBytes: 64 * kibibyte,
  // PostgreSQL stops if it has no space for its write-ahead log, and reads fail with it.
  /** Free disk space below which writes get 503 */
  reservedBytes: 128 * mebibyte,
  /** Interval at which a service checks the free disk space */
  diskCheckMilliseconds: 250,
  /** Free disk space below which a failed start is reported as a full disk */
  fullDiskBytes: 256 * kibibyte,
  /** Least memory for shared buffers */
  leastBufferBytes: 128 * mebibyte,
  // More would slow down every start. A larger catalog belongs on a separate server.
  /** Most memory for shared buffers, which get a quarter of the memory of the machine */
  bufferBytes: 2 * gibibyte,
} as const
