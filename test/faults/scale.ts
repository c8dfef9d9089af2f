/** `npm run test:faults` repeats each fault and measures; `npm test` runs each once or twice. */
export const isLong = process.env['FAULTS'] !== undefined

/** Only a complete run writes the report; FAULTS=long runs some tests without it. */
export const isReported = process.env['FAULTS'] === 'report'

export function scaled<Value>(short: Value, long: Value): Value {
  return isLong ? long : short
}

/** That many rounds, or fewer on a busy machine. The report shows the number. */
export function* rounds(short: number, long: number, longSeconds: number): Generator<number> {
  const deadline = Date.now() + longSeconds * 1000
  for (let round = 0; round < scaled(short, long); round += 1) {
    if (round > 0 && isLong && Date.now() > deadline) return
    yield round
  }
}
