import type { FastifyInstance, FastifyReply } from 'fastify'
import { Problem } from '../problems.ts'

/** Calls `act` when the response is sent or the client disconnects, or now if that was before: `close` is emitted only once. */
export function whenClosed({ raw }: Pick<FastifyReply, 'raw'>, act: () => void): void {
  if (raw.closed) act()
  else raw.once('close', act)
}

/** Aborts when the client closes its connection; the reason ends the request. */
export function disconnectSignal({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const client = new AbortController()
  const leave = () => client.abort(departed())
  if (raw.destroyed) leave()
  else raw.once('close', leave)
  return client.signal
}

/** Ends reads whose client disconnected while they waited, and does not serialize their responses. */
export function dropDisconnectedReads(app: FastifyInstance): void {
  app.addHook('preHandler', ({ method }, { raw }, done) => {
    const isRead = method === 'GET' || method === 'HEAD'
    done(isRead && raw.destroyed ? departed() : undefined)
  })
  app.addHook('preSerialization', (_request, { raw }, payload, done) => {
    done(null, raw.destroyed ? null : payload)
  })
}

function departed(): Problem {
  return new Problem('malformed_request', { detail: 'The client closed the connection.' })
}
