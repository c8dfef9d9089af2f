import type { Socket } from 'node:net'

/** What a client of PostgreSQL has sent. */
export type WireCount = {
  /** How often it waited for an answer. */
  roundTrips: number
  statements: number
  /** Statements that the server had to read and to plan; those that a connection has prepared are not among them. */
  parsed: number
}

/**
 * Counts by the messages of the protocol: P parses, B runs what was parsed, S asks for the answer, Q does all of it. Work in the
 * background has connections of its own, whose names say so.
 */
export function wireCounter() {
  const count: WireCount = { roundTrips: 0, statements: 0, parsed: 0 }

  function note(type: string, body: string): void {
    const texts =
      type === 'Q'
        ? body
            .replace(/\0$/, '')
            .split(';')
            .filter((text) => text.trim() !== '').length
        : 0
    if (type === 'S' || type === 'Q') count.roundTrips += 1
    if (type === 'B') count.statements += 1
    if (type === 'P') count.parsed += 1
    count.statements += texts
    // What begins and ends a transaction needs no plan.
    if (!/^(begin|commit|rollback|set)\b/.test(body)) count.parsed += texts
  }

  function listen(client: Socket): void {
    let pending = Buffer.alloc(0)
    let isStarted = false
    let isCounted = true
    client.on('data', (data: Buffer) => {
      pending = Buffer.concat([pending, data])
      for (;;) {
        // The first message of a connection has no type.
        const head = isStarted ? 1 : 0
        if (pending.length < head + 4) return
        const length = head + pending.readInt32BE(head)
        if (pending.length < length) return
        const body = pending.toString('utf8', head + 4, length)
        if (!isStarted) isCounted = !body.includes(' background\0')
        else if (isCounted) note(String.fromCharCode(pending[0] ?? 0), body)
        isStarted = true
        pending = pending.subarray(length)
      }
    })
  }

  return { listen, count: (): WireCount => ({ ...count }) }
}
