import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import pino from 'pino'
import pretty from 'pino-pretty'
import { responseLimits } from '../limits/responses.ts'

// A request ID must not look like a token, with or without its prefix, so that a token sent by mistake is not logged.
const acceptableRequestId = /^(?![0-9A-Za-z]{36}$)[0-9A-Za-z-]{8,64}$/

/** The client's request ID if it is valid, so that the logs of both can be correlated. */
export function requestId(raw: Pick<IncomingMessage, 'headers'>): string {
  const given = raw.headers['x-request-id']
  return typeof given === 'string' && acceptableRequestId.test(given) ? given : randomUUID()
}

// In a URL, a token is redacted even without its prefix, which can easily be added.
const secretInAddress = /cat_[0-9A-Za-z]{20}|[0-9A-Za-z]{30}/i
/** A token in any form has at least this many letters and digits in a row, unless they are encoded. */
const leastSecretCharacters = 20
const maxEncodings = 5

/** The URL as sent, without parts that contain a token in any encoding or that cannot be decoded. */
export function loggedUrl(url: string): string {
  if (!mayShowSecret(url)) return url
  return url
    .split(/([/?&=;#])/)
    .map(shownPart)
    .join('')
}

/** A loop, because a regular expression takes five times as long. */
function mayShowSecret(url: string): boolean {
  let following = 0
  for (let at = 0; at < url.length; at += 1) {
    const code = url.charCodeAt(at)
    if (code === percent || code === plus || code < firstVisible || code > lastVisible) return true
    following = isAlphanumeric(code) ? following + 1 : 0
    if (following === leastSecretCharacters) return true
  }
  return false
}

const percent = 0x25
const plus = 0x2b
const firstVisible = 0x21
const lastVisible = 0x7e

function isAlphanumeric(code: number): boolean {
  const lower = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a)
}

function shownPart(part: string): string {
  const text = isDecodable(part) ? decodedThroughout(part) : undefined
  if (text === undefined) return '[malformed]'
  // A person who copies the URL would omit these characters.
  const plain = text.replace(/[^\x21-\x7e]|\+/g, '')
  return secretInAddress.test(plain) ? '[hidden]' : part
}

function isDecodable(part: string): boolean {
  try {
    decodeURIComponent(part)
    return true
  } catch {
    return false
  }
}

/** Decodes text that was encoded several times; undefined if it was encoded too often. */
function decodedThroughout(part: string): string | undefined {
  let text = part
  for (let round = 0; round < maxEncodings; round += 1) {
    const inner = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    if (inner === text) return text
    text = inner
  }
  return undefined
}

const logSerializers = {
  req: (request: { method: string; url: string; ip?: string }) => ({
    method: request.method,
    url: loggedUrl(request.url),
    ip: request.ip,
  }),
}

/** Logs to standard error: JSON, or readable lines in a terminal. */
export function openLog(level: string): FastifyBaseLogger {
  const stream = process.stderr.isTTY
    ? pretty({ destination: 2, translateTime: 'HH:MM:ss', ignore: 'pid,hostname' })
    : collectLines(pino.destination({ dest: 2, contentMode: 'buffer' }))
  return pino({ level, serializers: logSerializers }, stream)
}

type Destination = ReturnType<typeof pino.destination>

/** Writes lines together, because a write per line, or per turn of the event loop, takes longer than a small request. */
function collectLines(destination: Destination): Pick<Destination, 'flushSync'> & pino.DestinationStream {
  let lines = ''
  let isUsed = false

  function write(): void {
    const taken = lines
    lines = ''
    // Bytes, because the destination would encode a string three times.
    if (taken !== '') (destination as Pick<Writable, 'write'>).write(Buffer.from(taken))
  }

  function flushSync(): void {
    write()
    destination.flushSync()
  }

  return {
    flushSync,
    write(line) {
      if (!isUsed) process.once('exit', flushSync)
      isUsed = true
      if (lines === '') setTimeout(write, responseLimits.logMilliseconds)
      lines += line
    },
  }
}
