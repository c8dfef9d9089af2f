import type { IncomingMessage } from 'node:http'
import https from 'node:https'
import { type BlockList, isIP } from 'node:net'
import { isLoopbackName } from '../http/request/loopback.ts'
import { outboundLimits } from '../limits/network.ts'
import { version } from '../version.ts'
import { dialRules } from './check-address.ts'
import { guardedAgents, refusesLoopback } from './guarded-agents.ts'
import { resolveNames } from './resolve-name.ts'

/** The file could not be fetched. The message is for users and quotes nothing that the other server sent. */
export class NotFetched extends Error {}

type FetchedFile = { body: AsyncIterable<Buffer>; close(): void }

export type FileFetcher = {
  /** False if connections to private networks would not be blocked: then nothing may be fetched. */
  isSafe(): Promise<boolean>
  /** Whether the service would fetch from this URL. What it does not show, such as the address of a name, is checked later. */
  accepts(url: string): boolean
  /** Follows redirects. The signal ends the download too. */
  open(url: string, signal: AbortSignal): Promise<FetchedFile>
  close(): void
}

/** Only tests allow networks and add a certificate authority. */
export type FetchSettings = { allow?: readonly string[]; ca?: string }

/** The self-test allows only this network, so it must not be able to connect to this machine. */
const unusedNetwork = '192.0.2.0/24'

/** Fetches files from the public internet over https. */
export function fileFetcher({ allow = [], ca }: FetchSettings = {}): FileFetcher {
  const rules = dialRules(allow)
  const agents = guardedAgents(rules)
  const lookup = resolveNames(false)
  const accepts = (url: string) => isFetchable(url, rules.https)

  function get(url: string, signal: AbortSignal): Promise<IncomingMessage> {
    const headers = { 'user-agent': `catalog-service/${version}`, 'accept-encoding': 'identity' }
    const options = { agent: agents.https, lookup, headers, signal, ...(ca !== undefined && { ca }) }
    return new Promise((resolve, reject) => {
      const request = https.get(url, options)
      // A response that switches protocols closes the connection without an error.
      request.once('close', () => reject(new Error('closed without a response')))
      request.once('response', resolve).once('error', reject)
    })
  }

  async function open(url: string, signal: AbortSignal): Promise<FetchedFile> {
    let next = url
    for (let redirects = 0; redirects <= outboundLimits.redirects; redirects += 1) {
      if (!accepts(next))
        throw new NotFetched('the URL leads to an address that the service does not fetch from')
      const response = await get(next, signal).catch(() => {
        throw new NotFetched('the server did not respond')
      })
      const { statusCode = 0, headers } = response
      if (statusCode === 200 && (headers['content-encoding'] ?? 'identity') === 'identity')
        return { body: response, close: () => void response.destroy() }
      response.on('error', () => {}).destroy()
      const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined
      if (!isRedirect) throw new NotFetched('the server did not return a file')
      next = URL.parse(headers.location as string, next)?.href ?? ''
    }
    throw new NotFetched(`the URL has more than ${outboundLimits.redirects} redirects`)
  }

  let tested: Promise<boolean> | undefined
  return {
    isSafe() {
      tested ??= refusesLoopback(dialRules([unusedNetwork])).catch(() => false)
      return tested
    },
    accepts,
    open,
    close: agents.destroy,
  }
}

function isFetchable(text: string, blocked: BlockList): boolean {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return false
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const family = isIP(host)
  if (family !== 0) return !blocked.check(host, family === 4 ? 'ipv4' : 'ipv6')
  return host !== '' && !(isLoopbackName(host) && blocked.check('127.0.0.1', 'ipv4'))
}
