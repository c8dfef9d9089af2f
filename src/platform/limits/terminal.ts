/** Terminal */
export const terminalLimits = {
  /** Update interval of a progress bar */
  progressMilliseconds: 100,
} as const
