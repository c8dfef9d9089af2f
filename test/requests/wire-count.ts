import type { Socket } from 'node:net'
import type { PoolName } from '../../src/platform/database/connections/connection-classes.ts'
import { connectionName } from '../../src/platform/database/connections/open-pool.ts'

const requestPools: PoolName[] = ['reads', 'lists', 'writes', 'waiting', 'bulk']
/** Names of the connections that requests use. Background work uses others. */
export const requestConnections = requestPools.map((name) => connectionName(name))

/** What a PostgreSQL client has sent. */
export type WireCount = {
  /** How often it waited for an response. */
  roundTrips: number
  statements: number
  /** Statements that the server parsed and planned, except those that a connection prepares for the first time. */
  parsed: number
}

/**
 * Counts by the messages of the protocol: P parses, B runs what was parsed, S asks for the response, Q does all of it. The count is the
 * same whichever connection of the pool a request gets: the settings of a new one and what it prepares once are left out. Only
 * connections of the pools that requests use count, which are in their names.
 */
export function wireCounter() {
  const count: WireCount = { roundTrips: 0, statements: 0, parsed: 0 }
  const sent: string[] = []

  function countMessage(type: string, body: string, prepared: Map<string, string>): void {
    const texts =
      type === 'Q'
        ? body
            .replace(/\0$/, '')
            .split(';')
            .filter((text) => text.trim() !== '').length
        : 0
    if (type === 'S' || type === 'Q') count.roundTrips += 1
    if (type === 'Q') sent.push(body)
    if (type === 'B') {
      count.statements += 1
      sent.push(prepared.get(body.split('\0')[1] ?? '') ?? '')
    }
    if (type === 'P') {
      const [name = '', text = ''] = body.split('\0')
      if (name === '' || prepared.get(name) === text) count.parsed += 1
      prepared.set(name, text)
    }
    count.statements += texts
    // Transaction control needs no plan.
    if (!/^(begin|commit|rollback|set)\b/.test(body)) count.parsed += texts
  }

  function listen(client: Socket): void {
    let pending = Buffer.alloc(0)
    let isStarted = false
    let isCounted = true
    let isSet = false
    const prepared = new Map<string, string>()
    client.on('data', (data: Buffer) => {
      pending = Buffer.concat([pending, data])
      for (;;) {
        // The first message of a connection has no type.
        const head = isStarted ? 1 : 0
        if (pending.length < head + 4) return
        const length = head + pending.readInt32BE(head)
        if (pending.length < length) return
        const body = pending.toString('utf8', head + 4, length)
        const type = String.fromCharCode(pending[0] ?? 0)
        if (!isStarted) isCounted = requestConnections.some((name) => body.includes(`${name}\0`))
        // The first query configures the connection.
        else if (type === 'Q' && !isSet) isSet = true
        else if (isCounted) countMessage(type, body, prepared)
        isStarted = true
        pending = pending.subarray(length)
      }
    })
  }

  return {
    listen,
    count: (): WireCount => ({ ...count }),
    /** The statements since the last call, to explain a wrong count. */
    takeSent: (): string[] => sent.splice(0),
  }
}
