import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address leads to this machine alone. An IPv4 address may come dressed as IPv6 (::ffff:127.0.0.1). */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  if (family === 0) return address.toLowerCase() === 'localhost'
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Whether a client that uses this name means this machine: an address, localhost, or a name under it. */
export function isLoopbackName(hostname: string): boolean {
  return isLoopback(hostname) || /(^|\.)localhost\.?$/i.test(hostname)
}
