import type { IncomingMessage } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

declare module 'fastify' {
  interface FastifyInstance {
    /** The address of a client, for requests that are not routed. */
    addressOf: (raw: IncomingMessage) => string | undefined
  }
}

/** The same as `request.ip`: behind a proxy, the address that the nearest hop has seen. */
export function clientAddress(behindProxy: boolean): (raw: IncomingMessage) => string | undefined {
  return ({ headers, socket }) => {
    const forwarded = behindProxy ? String(headers['x-forwarded-for'] ?? '') : ''
    return forwarded.slice(forwarded.lastIndexOf(',') + 1).trim() || socket.remoteAddress
  }
}

/** The network of a client: an IPv4 address, or the /64 prefix of an IPv6 address, which one machine has. */
export function clientNetwork(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address
  const [head = '', tail = ''] = address.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0')
  return [...groups, ...zeros, ...rest].slice(0, 4).join(':')
}

/** Whether the text names a network, such as 10.1.0.0/16. */
export function isNetwork(text: string): boolean {
  const [, address = '', prefix] = /^([\d.]+|[\da-f:]+)\/(\d{1,3})$/i.exec(text) ?? []
  const family = isIP(address)
  return family !== 0 && Number(prefix) <= (family === 4 ? 32 : 128)
}
