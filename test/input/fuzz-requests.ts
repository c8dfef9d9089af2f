import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { Operation, Schema } from '../requests/operations.ts'
import { jsonOf } from './fuzz-json.ts'

export type FuzzedRequest = { method: string; path: string; headers: Record<string, string>; body?: Buffer }

const usually = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>) =>
  fc.oneof({ weight, arbitrary }, { weight: 1, arbitrary: odd })

const oddSegment = fc.oneof(
  fc.constantFrom(
    ...['0', '-1', '+1', '01', '1e3', '0x10', '%2012%20', '1.0', '9007199254740992', '99999999999999999999'],
    ...['%00', 'a%00b', '%ED%A0%80', '%E0%A4%A', '%', '%C0%80', '%FF', '%D9%A1', '%EF%BC%91', '%F0%9F%98%80'],
    ...['.', '..', '%2e%2e', '%2F', '%5C', '', '%20', "S';--", '__proto__', 'constructor', 'null', 'last'],
    ...['bulk', 'by-sku', 'x'.repeat(300), 'x'.repeat(12_000), '%25', 'a+b', ';a=1', ':id', '*', '{id}'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 10 }).map(encodeURIComponent),
)

const oddText = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      '%',
      '%00',
      '%zz',
      '%E0%A4%A',
      '%ED%A0%80',
      '%FF',
      '0',
      '-0',
      '-1',
      '1e3',
      '1e400',
      'NaN',
      '0x10',
    ],
    ...[
      '9007199254740992',
      '99999999999999999999',
      '1,',
      ',',
      '1,1',
      '1,a',
      'null',
      'true',
      'TRUE',
      '+1',
      '%201',
    ],
    ...[
      '__proto__',
      'constructor',
      '%27%22;--%25_%5C',
      '2026-02-30',
      '2026-13-01T00:00:00Z',
      '9999-12-31T23:59:59Z',
    ],
    ...[
      '0000-01-01T00:00:00Z',
      '[]',
      '{}',
      '-name',
      '--name',
      'name,name',
      'last',
      '%F0%9F%98%80',
      'x'.repeat(3000),
    ],
    ...[
      '1,2,3'.repeat(400),
      '%EF%BB%BF',
      'a%0Ab',
      '(a%2B)%2B%24',
      'status=active',
      '%26%26',
      '1..2',
      '99999999.99999',
    ],
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).map(encodeURIComponent),
)

const oddName = fc.constantFrom(
  ...[
    'bogus',
    '',
    '__proto__',
    'constructor',
    '%00',
    '%FF',
    'page',
    'page_size',
    'attributes',
    'attributes__',
  ],
  ...['attributes[color]', 'attributes[]', 'attributes[__proto__]', 'attributes__color__gte', 'price__gte[]'],
  ...[
    'Page',
    'page%20',
    'id',
    'x'.repeat(2000),
    'attributes__%ED%A0%80',
    'attributes[%00]',
    'attributes__a__b__in',
  ],
)

function queryText({ type, enum: choices, 'x-ordering': fields }: Schema, ids: readonly number[]) {
  const known = ['S', 'K', 'sample', 'color', '1.0.0', 'true', '2026-01-31T08:15:30Z', ...ids.map(String)]
  const fitting = choices ?? fields ?? (type === 'boolean' ? ['true', 'false'] : known)
  return usually(2, fc.constantFrom(...fitting).map(String), oddText)
}

function queryOf({ query }: Operation, ids: readonly number[]): fc.Arbitrary<string> {
  const pairs = Object.entries(query).map(([name, schema]) =>
    queryText(schema, ids).map((value) => `${schema['x-keyed'] ? `${name}__color` : name}=${value}`),
  )
  const odd = fc.oneof(
    fc.tuple(oddName, oddText).map((pair) => pair.join('=')),
    fc.constantFrom('&', '=', '?', '&&=&', 'a', '%', '=1', 'page=1&page=2'),
  )
  return fc
    .array(pairs.length === 0 ? odd : usually(5, fc.oneof(...pairs), odd), { maxLength: 3 })
    .map((given) => (given.length === 0 ? '' : `?${given.join('&')}`))
}

const oddTypes = fc.constantFrom(
  ...[
    'text/plain',
    'application/json; charset=latin1',
    'application/json;charset=utf-16',
    'APPLICATION/JSON',
  ],
  ...[
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/x-ndjson',
    'json',
    '',
  ],
  ...[
    'application/merge-patch+json',
    'application/json, text/plain',
    'application/json;',
    '\u00ff/\u00fe',
    '*/*',
  ],
)
const tags = [
  '*',
  '"1"',
  '"1-x"',
  'W/"1-x"',
  '1',
  '""',
  '"1","2"',
  ',',
  '\u00ff',
  '"',
  `"${'x'.repeat(3000)}"`,
]
const keys = ['k', 'k2', '', ' ', 'a b', '\u00e9', 'x'.repeat(255), 'x'.repeat(256), '"k"', '__proto__']

/** Unusual header values. */
const oddHeaders: Record<string, readonly string[]> = {
  'if-match': tags,
  'if-none-match': tags,
  'idempotency-key': keys,
  accept: ['text/html', 'application/xml', '*/*;q=0', '', 'application/json;q=x', '\u00ff', ',,,'],
  'accept-encoding': ['gzip', 'br;q=1', '*;q=0', 'identity;q=0', 'bogus', ''],
  'content-encoding': ['gzip', 'br', 'identity', 'gzip, gzip', 'deflate', '', 'GZIP', 'zstd'],
  range: ['bytes=0-1', 'bytes=-1', 'bogus'],
  origin: ['null', 'https://evil.example', 'bogus', ''],
  'x-http-method-override': ['DELETE', 'PATCH'],
  'x-request-id': ['', 'x'.repeat(500), 'a b', '\u00ff'],
  'x-forwarded-for': ['1.2.3.4', 'bogus', '\u00ff'],
  'x-forwarded-host': ['evil.example'],
  host: ['evil.example', '', 'a b', '[::1', 'localhost:99999', 'localhost\u00ff'],
  expect: ['bogus'],
}

const headersOf = fc.record(
  Object.fromEntries(
    Object.entries(oddHeaders).map(([name, values]) => [
      name,
      fc.oneof({ weight: 25, arbitrary: fc.constant(undefined) }, fc.constantFrom(...values)),
    ]),
  ),
)

type Body = { bytes: Buffer; type: string }

function bodyOf({ bodies }: Operation, ids: readonly number[]): fc.Arbitrary<Body | undefined> {
  const declared = Object.entries(bodies).map(([type, schema]) => {
    const one = jsonOf(schema, ids)
    const text = type.endsWith('ndjson') ? fc.array(one, { maxLength: 3 }).map((all) => all.join('\n')) : one
    return fc.record({
      bytes: usually(
        10,
        text.map((all) => Buffer.from(all)),
        corrupted(text),
      ),
      type: usually(20, fc.constant(type), oddTypes),
    })
  })
  const stray = fc.record({ bytes: corrupted(fc.constant('{"a":1}')), type: oddTypes })
  const none = fc.constant(undefined)
  return declared.length === 0
    ? usually(8, none, stray)
    : usually<Body | undefined>(25, fc.oneof(...declared), none)
}

/** Bytes that are no longer valid JSON, in most cases. */
function corrupted(text: fc.Arbitrary<string>): fc.Arbitrary<Buffer> {
  const ways: ((bytes: Buffer, at: number) => Buffer)[] = [
    (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([0xff]), bytes.subarray(at)]),
    (bytes, at) =>
      Buffer.concat([bytes.subarray(0, at), Buffer.from([0xed, 0xa0, 0x80]), bytes.subarray(at)]),
    (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)]),
    (bytes, at) => bytes.subarray(0, at),
    (bytes) => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    (bytes) => Buffer.concat([bytes, bytes]),
    (bytes) => Buffer.concat([bytes, Buffer.from('\n\n,')]),
    (bytes) => gzipSync(bytes),
    (bytes, at) => gzipSync(bytes).subarray(0, at + 5),
    (bytes) => Buffer.from(bytes.toString(), 'utf16le'),
    () => Buffer.alloc(0),
    () => Buffer.from(' '),
  ]
  return fc
    .tuple(text, fc.constantFrom(...ways), fc.nat())
    .map(([all, spoil, place]) => spoil(Buffer.from(all), place % (Buffer.byteLength(all) + 1)))
}

/** Requests to an operation that are mostly valid, with some errors. */
export function requestsTo(
  operation: Operation,
  address: (segment: string) => string | undefined,
  ids: readonly number[],
): fc.Arbitrary<FuzzedRequest> {
  const { method, path } = operation
  const parts = path.split(/(\{\w+\})/).map((part) => {
    const known = part.startsWith('{') ? address(part.slice(1, -1)) : undefined
    if (!part.startsWith('{')) return fc.constant(part)
    return usually(known === undefined ? 0 : 5, fc.constant(known ?? '1'), oddSegment)
  })
  const methods = method === 'GET' ? fc.constantFrom('GET', 'GET', 'GET', 'HEAD') : fc.constant(method)
  return fc
    .tuple(methods, fc.tuple(...parts), queryOf(operation, ids), headersOf, bodyOf(operation, ids))
    .map(([used, segments, query, headers, body]) => ({
      method: used,
      path: segments.join('') + query,
      headers: {
        ...(body !== undefined && { 'content-type': body.type }),
        ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      } as Record<string, string>,
      ...(body !== undefined && { body: body.bytes }),
    }))
}
