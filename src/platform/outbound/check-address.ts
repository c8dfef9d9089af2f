import { type BlockList, isIP } from 'node:net'
import { Problem } from '../http/problems.ts'
import { isLoopbackName } from '../http/request/loopback.ts'
import { directionControls } from '../http/request/name.schema.ts'
import { blockAllExcept, blockPrivateExcept } from './forbidden-addresses.ts'

/** Which addresses the service can connect to: the public internet over https, and allowed networks over http and https. */
export type DialRules = { https: BlockList; http: BlockList | undefined }

export function dialRules(allowed: readonly string[]): DialRules {
  return {
    https: blockPrivateExcept(allowed),
    http: allowed.length === 0 ? undefined : blockAllExcept(allowed),
  }
}

const plainNotAllowed =
  'must start with https://; plain http is only possible in networks that the operator allows, such as "catalog serve --webhook-allow 127.0.0.0/8"'
const privateNotAllowed =
  'must not be in a private network, unless the operator allows it, such as "catalog serve --webhook-allow 127.0.0.0/8"'

/** The normalized URL. What it does not show, such as the address of a name, is checked when the service connects. */
export function checkAddress(text: string, rules: DialRules): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:\/\//i.test(text))
    throw invalidUrl('must be a URL such as https://receiver.example/events')
  if (directionControls.test(text)) throw invalidUrl('must not contain bidirectional control characters')
  if (!isPossibleHost(url.hostname)) throw invalidUrl('must have a valid host name')
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    throw invalidUrl(
      'must not contain a user or password; receivers authenticate deliveries by their signature',
    )
  const isPlain = url.protocol === 'http:'
  const list = isPlain ? rules.http : rules.https
  if (list === undefined || isForbidden(url.hostname, list))
    throw invalidUrl(isPlain ? plainNotAllowed : privateNotAllowed)
  url.hash = ''
  return url.href
}

/**
 * The normalized base URL of an API, without a slash at its end. It is public, or its origin is one that the operator allows.
 * Returns the error for other addresses.
 */
export function checkBaseUrl(text: string, allowed: readonly string[]): { url: string } | { error: string } {
  const url = URL.parse(text)
  if (
    url === null ||
    !/^https?:\/\//i.test(text) ||
    directionControls.test(text) ||
    !isPossibleHost(url.hostname)
  )
    return { error: 'must be a URL such as https://models.example/v1' }
  if (url.username !== '' || url.password !== '' || /[?#@]/.test(text))
    return { error: 'must not contain a user, a password, a query or a fragment' }
  if (!/^[\w.~:%+/-]*$/.test(url.pathname))
    return { error: 'must have a path of letters, digits, dashes, dots and slashes' }
  const isAllowed = allowed.includes(url.origin)
  if (!isAllowed && url.protocol !== 'https:')
    return { error: `must start with https://, unless the operator allows its origin: ${allowHint(url)}` }
  if (!isAllowed && isForbidden(url.hostname, blockPrivateExcept([])))
    return {
      error: `must not be in a private network, unless the operator allows its origin: ${allowHint(url)}`,
    }
  return { url: url.href.replace(/\/+$/, '') }
}

function allowHint({ origin }: URL): string {
  return `"catalog serve --ai-allow ${origin}"`
}

/** RFC 1123, plus underscores, which some names have: 1 to 63 characters between dots, 253 in total. */
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

function isPossibleHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return true
  const name = hostname.replace(/\.$/, '')
  return name.length <= 253 && name.split('.').every((one) => label.test(one))
}

/** A name of this machine is checked as its address. */
function isForbidden(hostname: string, list: BlockList): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family !== 0) return list.check(host, family === 4 ? 'ipv4' : 'ipv6')
  if (isLoopbackName(host)) return list.check('127.0.0.1', 'ipv4')
  return host === ''
}

function invalidUrl(message: string): Problem {
  return new Problem('invalid_body', { errors: [{ pointer: '/url', code: 'invalid_address', message }] })
}
