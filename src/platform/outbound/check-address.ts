import { type BlockList, isIP } from 'node:net'
import { Problem } from '../http/problems.ts'
import { isLoopbackName } from '../http/request/loopback.ts'
import { directionControls } from '../http/request/name.schema.ts'
import { blockAllExcept, blockPrivateExcept } from './forbidden-addresses.ts'

/** Which addresses may be dialled: by https the public internet, and by both what the operator allows. */
export type DialRules = { https: BlockList; http: BlockList | undefined }

export function dialRules(allowed: readonly string[]): DialRules {
  return {
    https: blockPrivateExcept(allowed),
    http: allowed.length === 0 ? undefined : blockAllExcept(allowed),
  }
}

const plainRefused =
  'must begin with https://; plain http is for networks that the operator allows, such as "catalog serve --webhook-allow 127.0.0.0/8"'
const innerRefused =
  'must not lead to an inner network, unless the operator allows it, such as "catalog serve --webhook-allow 127.0.0.0/8"'

/** The address as it is kept. What it does not show, such as where a name leads to, is refused when it is dialled. */
export function checkAddress(text: string, rules: DialRules): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text))
    throw refused('must be an address such as https://receiver.example/events')
  if (directionControls.test(text))
    throw refused('must have no characters that override the direction of writing')
  if (!isPossibleHost(url.hostname)) throw refused('must have a host name that can exist')
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    throw refused('must have no user or password; deliveries are proven by their signature')
  const isPlain = url.protocol === 'http:'
  const list = isPlain ? rules.http : rules.https
  if (list === undefined || isForbidden(url.hostname, list))
    throw refused(isPlain ? plainRefused : innerRefused)
  url.hash = ''
  return url.href
}

/** RFC 1123, with the underscores that some names have: 1 to 63 characters between dots, 253 in all. */
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

function isPossibleHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every((one) => label.test(one))
}

/** A name of this machine is judged as its address. */
function isForbidden(hostname: string, list: BlockList): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family !== 0) return list.check(host, family === 4 ? 'ipv4' : 'ipv6')
  if (isLoopbackName(host)) return list.check('127.0.0.1', 'ipv4')
  return host === ''
}

function refused(message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer: '/url', code: 'invalid_address', message }] })
}
