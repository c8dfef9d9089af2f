import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { isLoopback } from '../request/loopback.ts'

const traceOfProxy = /^(x-forwarded-.+|forwarded|via|x-real-ip|cf-connecting-ip|true-client-ip)$/

/** Metrics are available to clients on this machine and to clients with the metrics token. */
export function requireMetricsAccess(request: FastifyRequest, token: string | undefined): void {
  if (!isLocal(request) && !bringsToken(request, token)) throw new Problem('metrics_restricted')
}

/**
 * The peer and all forwarded addresses. A proxy on this machine is loopback itself, so its forwarding headers count
 * even without --behind-proxy. A client that forges such a header only locks itself out.
 */
function isLocal({ socket, headers, hostname }: FastifyRequest): boolean {
  const spokenFor = headers['x-forwarded-for']?.toString().split(',')
  if (spokenFor === undefined && Object.keys(headers).some((name) => traceOfProxy.test(name))) return false
  // Against DNS rebinding: a foreign page whose name resolves to this machine has its own name as the host.
  if (!isLoopback(hostname)) return false
  return [socket.remoteAddress ?? '', ...(spokenFor ?? [])].every((address) => isLoopback(address.trim()))
}

/** Digests have a fixed length, so the comparison does not reveal how much of a guess is correct. */
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
