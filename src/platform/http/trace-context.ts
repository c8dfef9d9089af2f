import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The trace of a request, the caller in it (`parent_id`), and the request itself (`span_id`). */
type Trace = { trace_id: string; parent_id: string; span_id: string }

// W3C Trace Context. Later versions than 00 add fields at the end; ff is not a version, and all zeros is not an ID.
const shape = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
// The defined flags: whether the caller records the trace, and whether its ID is random.
const knownFlags = 0b11

/**
 * Returns the ID of this request in the trace, which its log lines also contain. A client without a valid `traceparent` gets
 * none, because no other system would know the trace.
 */
export function setTraceHeader(request: FastifyRequest, reply: FastifyReply): void {
  const given = request.raw.headers['traceparent']
  // Almost all requests return here.
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
