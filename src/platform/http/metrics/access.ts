import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { isLoopback } from '../request/loopback.ts'

const traceOfProxy = /^(x-forwarded-.+|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip)$/

/** Metrics are for this machine, and for those who bring the operator's token. */
export function requireMetricsAccess(request: FastifyRequest, token: string | undefined): void {
  if (!isLocal(request) && !bringsToken(request, token)) throw new Problem('metrics_restricted')
}

/**
 * The peer and everyone it says it speaks for. A proxy on this machine is loopback itself, so a header that it leaves
 * behind counts even where no proxy was announced; forging one can only turn a client away.
 */
function isLocal({ socket, headers, hostname }: FastifyRequest): boolean {
  const spokenFor = headers['x-forwarded-for']?.toString().split(',')
  if (spokenFor === undefined && Object.keys(headers).some((name) => traceOfProxy.test(name))) return false
  // A page of a stranger whose name was made to point here has its own name as the host.
  if (!isLoopback(hostname)) return false
  return [socket.remoteAddress ?? '', ...(spokenFor ?? [])].every((address) => isLoopback(address.trim()))
}

/** Digests have one length, so the comparison tells nothing about how much of a guess was right. */
function bringsToken(
  { headers: { authorization = '' } }: FastifyRequest,
  token: string | undefined,
): boolean {
  const [, sent] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  return token !== undefined && sent !== undefined && timingSafeEqual(digest(sent), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
