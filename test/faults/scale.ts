/** `npm run test:faults` tries each fault often, and measures; `npm test` tries each once or twice. */
export const isLong = process.env['FAULTS'] !== undefined

/** Only a run of all of them writes the report; FAULTS=long is for a look at some. */
export const isReported = process.env['FAULTS'] === 'report'

export function scaled<Value>(quick: Value, long: Value): Value {
  return isLong ? long : quick
}

/** So often, or as often as the time allows on a busy machine; the report tells how often it was. */
export function* rounds(quick: number, long: number, longSeconds: number): Generator<number> {
  const deadline = Date.now() + longSeconds * 1000
  for (let round = 0; round < scaled(quick, long); round += 1) {
    if (round > 0 && isLong && Date.now() > deadline) return
    yield round
  }
}
