export const kibibyte = 1024
export const mebibyte = 1024 * kibibyte
export const gibibyte = 1024 * mebibyte
export const megabyte = 1_000_000

/** By the letter that ends a duration, such as `7d`. */
export const secondsByLetter: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
export const secondsOf = { minute: 60, hour: 3_600, day: 86_400 } as const
export const millisecondsOf = { second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
