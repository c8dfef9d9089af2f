import { gibibyte, kibibyte, mebibyte } from '../units.ts'

/** Database */
export const databaseLimits = {
  /** Connection timeout */
  connectMilliseconds: 3_000,
  /** Idle time before a connection is checked */
  keepAliveMilliseconds: 5_000,
  // A server that has just restarted is busy.
  /** Connections opened concurrently */
  openings: 4,
  /** Time that a read of a single object waits for a connection; then 503 `too_busy` */
  readWaitSeconds: 3,
  /** Time that a command waits for a connection */
  commandWaitSeconds: 30,
  /** Time that a commit without a response holds its connection */
  commitMilliseconds: 60_000,
  /** Time to wait for open connections at shutdown */
  closeMilliseconds: 3_000,
  /** Attempts of a transaction after a deadlock or serialization failure */
  attempts: 5,
  /** Lock wait of a batch of single writes before each runs separately */
  lockMilliseconds: 30,
  // Ends forgotten transactions, which would keep a connection, locks and a snapshot.
  /** Idle transaction timeout */
  idleTransactionSeconds: 60,
  // A slow client of an export can take minutes for one batch.
  /** Idle timeout of an export snapshot */
  idleSnapshotSeconds: 300,
  /** Statement timeout of bulk transactions */
  bulkStatementSeconds: 30,
  /** Push batches written concurrently, per worker and project */
  batchesOfProject: 3,
  /** Single writes that share a transaction */
  sharedWrites: 100,
  /** Size of single writes that share a transaction */
  sharedBytes: 512 * kibibyte,
  /** Statement timeout of a shared transaction */
  sharedSeconds: 2,
  // A server that works cancels the statement first, and its error is more precise.
  /** Time after the statement timeout at which a list request stops waiting */
  sharedReadMilliseconds: 500,
  /** Rows deleted per cleanup statement */
  deletedRows: 500,
  /** Prepared statements per connection */
  preparedStatements: 250,
  /** Timeout of the connection and of each query when the service checks for a pooler */
  poolerCheckMilliseconds: 5_000,
} as const

/** Schema upgrades */
export const schemaUpgradeLimits = {
  // Writers queue behind a migration that waits for a lock.
  /** Lock wait of a migration before it retries */
  lockMilliseconds: 500,
  /** Rows changed per migration batch */
  batchRows: 500,
  // Writers of these rows wait until the batch ends.
  /** Target duration of a migration batch */
  batchMilliseconds: 500,
  // Shorter than a batch, so that a locked row is not mistaken for a batch that is too large.
  /** Row lock wait of a migration */
  rowLockMilliseconds: 200,
  /** Shortest pause before a migration retries to get a lock */
  firstPauseMilliseconds: 100,
  /** Longest pause before a migration retries to get a lock */
  maxPauseMilliseconds: 2_000,
  /** Time that a migration tries to get a lock by default */
  maxLockWaitSeconds: 120,
  /** Interval at which a process checks whether another one has finished migrating */
  pollMilliseconds: 100,
} as const

/** Embedded PostgreSQL */
export const embeddedLimits = {
  /** Startup, including recovery */
  startSeconds: 60,
  /** Wait for the server to stop */
  stopSeconds: 8,
  // Longer than the last user takes to stop the server.
  /** Wait while another process starts or stops the server */
  waitSeconds: 15,
  /** Time that a process tries to connect to the server or to start it */
  joinSeconds: 90,
  /** Time after which a server that neither responds nor recovers is stopped */
  unresponsiveSeconds: 10,
  /** Connection timeout */
  connectMilliseconds: 5_000,
  /** Pause before a process reconnects to a server that stopped */
  rejoinMilliseconds: 500,
  // A socket path has at most about 100 bytes, and PostgreSQL adds its own file name.
  /** Path of the folder with the socket; for longer paths, the socket is in `/tmp` */
  socketFolderBytes: 85,
  /** Time that an exiting process waits for a response from the server */
  leaveMilliseconds: 3_000,
  /** Time that a command waits for other processes to release the server */
  exclusiveWaitMilliseconds: 2_000,
  /** Pause between the signals that stop a server that did not start */
  signalMilliseconds: 2_000,
  /** Time that the backends of a killed server have to stop */
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
  /** Free disk space below which writes return 503 */
  reservedBytes: 128 * mebibyte,
  /** Interval at which a service checks the free disk space */
  diskCheckMilliseconds: 250,
  /** Free disk space below which a failed start is reported as a full disk */
  fullDiskBytes: 256 * kibibyte,
  /** Minimum size of shared buffers */
  leastBufferBytes: 128 * mebibyte,
  // More would slow down every start. A larger catalog belongs on a separate server.
  /** Maximum size of shared buffers, which use a quarter of the memory */
  bufferBytes: 2 * gibibyte,
} as const
