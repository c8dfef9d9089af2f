const secondsOf: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** `30m`, `24h` or `7d` in seconds. */
export function readOverlap(text: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (secondsOf[unit] ?? 0)
}
