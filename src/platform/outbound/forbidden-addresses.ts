import { BlockList } from 'node:net'

/** All addresses that are not part of the public internet. */
const notPublic = [
  // This network, private, carriers', loopback, link-local, protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved.
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...[
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
  ],
  ...['192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
  // Unspecified, loopback and IPv4 in the old way; translated to IPv4; discard; Teredo, ORCHID and their like; documentation; 6to4.
  ...[
    '::/96',
    '::ffff:0:0:0/96',
    '64:ff9b::/96',
    '64:ff9b:1::/48',
    '100::/64',
    '100:0:0:1::/64',
    '2001::/23',
  ],
  ...['2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20', '5f00::/16'],
  // Unique local, link-local, site-local, multicast.
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8'],
]

type Family = 'ipv4' | 'ipv6'
type Range = { family: Family; first: bigint; last: bigint }

const bits: Record<Family, bigint> = { ipv4: 32n, ipv6: 128n }
const everything: Range[] = [rangeOf('0.0.0.0/0'), rangeOf('::/0')]
/** IPv4-mapped IPv6 addresses are checked as IPv4, because a rule for them would match all of IPv4. */
const mapped = rangeOf('::ffff:0:0/96')

/** Blocks private addresses, except those in networks that the operator allows. */
export function blockPrivateExcept(allowed: readonly string[]): BlockList {
  return listOf(notPublic.map(rangeOf), allowed)
}

/** Blocks everything except the networks that the operator allows: for http, which is not used on the public internet. */
export function blockAllExcept(allowed: readonly string[]): BlockList {
  return listOf(everything, allowed)
}

function listOf(blocked: Range[], allowed: readonly string[]): BlockList {
  const list = new BlockList()
  let left = blocked
  for (const range of [mapped, ...allowed.map(rangeOf)]) left = left.flatMap((one) => without(one, range))
  for (const { family, first, last } of left)
    list.addRange(addressOf(first, family), addressOf(last, family), family)
  return list
}

function without(one: Range, hole: Range): Range[] {
  if (one.family !== hole.family || hole.last < one.first || hole.first > one.last) return [one]
  const before = { ...one, last: hole.first - 1n }
  const after = { ...one, first: hole.last + 1n }
  return [before, after].filter(({ first, last }) => first <= last)
}

function rangeOf(cidr: string): Range {
  const [address = '', prefix = ''] = cidr.split('/')
  const family = address.includes(':') ? 'ipv6' : 'ipv4'
  const size = 1n << (bits[family] - BigInt(prefix))
  const first = (numberOf(address, family) / size) * size
  return { family, first, last: first + size - 1n }
}

function numberOf(address: string, family: Family): bigint {
  if (family === 'ipv4') return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const [head = '', tail = ''] = address.split('::')
  const groups = (text: string) => text.split(':').filter(Boolean)
  const zeros = Array.from({ length: 8 - groups(head).length - groups(tail).length }, () => '0')
  const all = address.includes('::') ? [...groups(head), ...zeros, ...groups(tail)] : groups(address)
  return all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
}

function addressOf(number: bigint, family: Family): string {
  const [parts, size] = family === 'ipv4' ? [4, 8n] : [8, 16n]
  const values = Array.from(
    { length: parts },
    (_, place) => (number >> (BigInt(parts - 1 - place) * size)) & ((1n << size) - 1n),
  )
  return family === 'ipv4' ? values.join('.') : values.map((value) => value.toString(16)).join(':')
}
