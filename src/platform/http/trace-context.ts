import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The trace that a request belongs to, who called in it (`parent_id`), and the request itself (`span_id`). */
type Trace = { trace_id: string; parent_id: string; span_id: string }

// W3C Trace Context. What a version after 00 adds comes at the end; ff is no version, and zeros alone are no id.
const shape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
// Whether the caller records the trace, and whether its id is random: the flags that have a meaning today.
const knownFlags = 0b11

/**
 * Answers with the name of this request in the trace, which all lines of the log about it have too. A client without a well-formed
 * `traceparent` gets none: nobody else would know of it.
 */
export function setTraceHeader(request: FastifyRequest, reply: FastifyReply): void {
  const given = request.raw.headers['traceparent']
  // Nearly all requests end here.
  if (typeof given !== 'string') return
  const found = parseTrace(given)
  if (found === undefined) return
  const { flags, ...trace } = found
  reply.header('traceparent', `00-${trace.trace_id}-${trace.span_id}-${flags}`)
  const log = request.log.child(trace)
  request.log = log
  reply.log = log
}

function parseTrace(text: string): (Trace & { flags: string }) | undefined {
  const [, version, trace_id = '', parent_id = '', flags = '', more] = shape.exec(text) ?? []
  if (version === undefined || (version === '00' && more !== undefined)) return undefined
  const kept = (Number.parseInt(flags, 16) & knownFlags).toString(16).padStart(2, '0')
  return { trace_id, parent_id, span_id: randomBytes(8).toString('hex'), flags: kept }
}
