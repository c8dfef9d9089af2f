/** One request, as its client saw it. All times come from one clock. */
export type Operation = {
  kind: 'read' | 'write'
  start: number
  /** Infinity for a write without a response, which can take effect at any later time. */
  end: number
  /** The version that the write created or the read returned. Versions are totally ordered. */
  version: number
  /** The content of the version, if the client knows it. */
  value?: string | undefined
  /** Where the request went, for people. */
  at?: string
}

export type Rule =
  | 'stale read'
  | 'reads went back'
  | 'read before the write began'
  | 'writes out of order'
  | 'version written twice'
  | 'version never written'
  | 'wrong value'

/** Two operations that contradict each other; `first` is missing if there is no such write. */
export type Violation = { rule: Rule; first?: Operation; second: Operation }

/**
 * Checks that a history of one register is linearizable. Because versions give the order of writes, this is complete: an order of
 * all operations exists if and only if every read returns a written value, and no operation that ended before another one began
 * has a later place in the order of versions.
 */
export function findViolation(history: readonly Operation[]): Violation | undefined {
  const writes = history.filter(({ kind }) => kind === 'write')
  const writeOf = new Map<number, Operation>()
  for (const second of writes) {
    const first = writeOf.get(second.version)
    if (first !== undefined) return { rule: 'version written twice', first, second }
    writeOf.set(second.version, second)
  }
  return findWrongRead(history, writeOf) ?? findWrongOrder(history)
}

function findWrongRead(
  history: readonly Operation[],
  writeOf: ReadonlyMap<number, Operation>,
): Violation | undefined {
  for (const second of history) {
    if (second.kind === 'write') continue
    const first = writeOf.get(second.version)
    if (first === undefined) return { rule: 'version never written', second }
    const isKnown = first.value !== undefined && second.value !== undefined
    if (isKnown && first.value !== second.value) return { rule: 'wrong value', first, second }
  }
  return undefined
}

const rules: Record<`${Operation['kind']} ${Operation['kind']}`, Rule> = {
  'write read': 'stale read',
  'read read': 'reads went back',
  'read write': 'read before the write began',
  'write write': 'writes out of order',
}

/** Compares each operation with the latest version of all operations that ended before it began. */
function findWrongOrder(history: readonly Operation[]): Violation | undefined {
  const byEnd = history.toSorted((a, b) => a.end - b.end)
  let ended = 0
  let latest: Operation | undefined
  for (const second of history.toSorted((a, b) => a.start - b.start)) {
    for (let next = byEnd[ended]; next !== undefined && next.end < second.start; next = byEnd[ended]) {
      if (latest === undefined || next.version > latest.version) latest = next
      ended += 1
    }
    if (latest === undefined) continue
    const isLater =
      second.kind === 'write' ? latest.version >= second.version : latest.version > second.version
    if (isLater) return { rule: rules[`${latest.kind} ${second.kind}`], first: latest, second }
  }
  return undefined
}
