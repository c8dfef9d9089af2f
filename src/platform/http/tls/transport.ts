import type { ServerOptions } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { TimeLimits } from '../../limits/times.ts'
import { secondsOf } from '../../units.ts'
import { isLoopbackName } from '../request/loopback.ts'
import type { Certificate } from './certificate.ts'

// Authenticated encryption only; the first three are TLS 1.3, the others TLS 1.2.
const suites = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
]
const oneYearSeconds = 365 * secondsOf.day

/** The Fastify options for HTTP or HTTPS. */
export function transport(limits: TimeLimits, certificate: Certificate | undefined) {
  const http: ServerOptions = {
    headersTimeout: limits.headersMilliseconds,
    connectionsCheckingInterval: limits.checkMilliseconds,
    // Node would respond to a missing Host header itself, without a body.
    requireHostHeader: false,
  }
  if (certificate === undefined) return { http }
  const https = {
    ...http,
    cert: certificate.cert,
    key: certificate.key,
    minVersion: 'TLSv1.2',
    ciphers: suites.join(':'),
    honorCipherOrder: true,
    handshakeTimeout: limits.handshakeMilliseconds,
  }
  // Fastify's types distinguish HTTP and HTTPS servers; this code does not.
  return { https } as unknown as { http: ServerOptions }
}

/** Makes browsers always use TLS. Never for localhost, because other services share the name. */
export function strictTransport({
  protocol,
  hostname,
}: FastifyRequest): Readonly<Record<string, string>> | undefined {
  if (protocol !== 'https' || isLoopbackName(hostname)) return undefined
  return { 'strict-transport-security': `max-age=${oneYearSeconds}` }
}
