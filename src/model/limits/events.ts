/** Recorded events */
export const recordedEventLimits = {
  /** `before` and `after` of an event in total; the largest fields above this are listed in `left_out` */
  detailBytes: 20_000,
} as const
