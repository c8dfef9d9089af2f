import { findViolation, type Operation, type Violation } from './check-history.ts'

/** A value that only grows: a version, a counter, or the number in a name. */
export type Observed = [register: string, version: number, value?: string | undefined]
export type Interval = Pick<Operation, 'start' | 'end' | 'at'>

export type Registers = ReturnType<typeof openRegisters>

/** The histories of all values that writers change and readers see. */
export function openRegisters() {
  const histories = new Map<string, Operation[]>()
  const historyOf = (register: string) => histories.getOrInsertComputed(register, () => [])
  return {
    write(observed: readonly Observed[], interval: Interval): void {
      for (const [register, version, value] of observed)
        historyOf(register).push({ kind: 'write', version, value, ...interval })
    },
    read(observed: readonly Observed[], interval: Interval): void {
      for (const [register, version, value] of observed)
        historyOf(register).push({ kind: 'read', version, value, ...interval })
    },
    /** A version that a client did not see being written, such as one by a background job. Every version up to it can exist. */
    allow(observed: readonly Observed[]): void {
      for (const [register, version, value] of observed) {
        const history = historyOf(register)
        if (history.some((one) => one.kind === 'write' && one.version === version)) continue
        history.push({ kind: 'write', version, value, start: 0, end: Number.POSITIVE_INFINITY })
      }
    },
    latest: (register: string): number => Math.max(...historyOf(register).map(({ version }) => version)),
    findViolations(): ({ register: string } & Violation)[] {
      return [...histories].flatMap(([register, history]) => {
        const violation = findViolation(history)
        return violation === undefined ? [] : [{ register, ...violation }]
      })
    },
  }
}
