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
    /** Versions that exist, also if no client knows when they were written. */
    allow(observed: readonly Observed[]): void {
      for (const [register, version, value] of observed) {
        const history = historyOf(register)
        if (history.some((one) => one.kind === 'write' && one.version === version)) continue
        history.push({ kind: 'write', version, value, ...anyTime })
      }
    },
    findViolations(): ({ register: string } & Violation)[] {
      return [...histories].flatMap(([register, history]) => {
        const violation = findViolation(withWrites(history))
        return violation === undefined ? [] : [{ register, ...violation }]
      })
    },
  }
}

const anyTime = { start: 0, end: Number.POSITIVE_INFINITY }

/** Background jobs write some values, so that clients only see that they grow. */
function withWrites(history: readonly Operation[]): readonly Operation[] {
  if (history.some(({ kind }) => kind === 'write')) return history
  const versions = new Set(history.map(({ version }) => version))
  return [...history, ...[...versions].map((version): Operation => ({ kind: 'write', version, ...anyTime }))]
}
