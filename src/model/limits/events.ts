/** Recorded events */
export const recordedEventLimits = {
  /** `before` and `after` of an event in total; the largest fields above this are listed in `left_out` */
  detailBytes: 20_000,
} as const

/** Changes that each request reads to check stored responses */
export const fenceLimits = {
  /** Events since the last request; above this, all stored responses of the project are dropped */
  feedRows: 32,
  /** Events without a number, in all projects; above this, no stored response is used */
  unnumberedRows: 128,
  /** Object IDs of an event; above this, it drops the stored responses for all products */
  idBytes: 2_000,
} as const
