import { isIP, isIPv6 } from 'node:net'

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
