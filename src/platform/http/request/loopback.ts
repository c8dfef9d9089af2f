import { BlockList, isIP } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address is a loopback address, including IPv4-mapped IPv6 addresses (::ffff:127.0.0.1). */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(address)
  if (family === 0) return address.toLowerCase() === 'localhost'
  return loopback.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Whether a host name refers to this machine: a loopback address, localhost, or a subdomain of localhost. */
export function isLoopbackName(hostname: string): boolean {
  return isLoopback(hostname) || /(^|\.)localhost\.?$/i.test(hostname)
}
