import { beforeAll, expect, test } from 'vitest'
import { numberCommitted } from '../../src/delivery/events/number-events.sql.ts'
import { raw, sql } from '../../src/platform/database/sql.ts'
import { type ConsoleUser, consoleUser } from '../console-user.ts'
import { ownDatabase } from '../database/test-database.ts'
import { everyCase } from '../every-case.ts'
import { scaled } from '../faults/scale.ts'
import {
  noDeliveries,
  startTestService,
  type Tenant,
  type TestResponse,
  type TestService,
} from '../harness.ts'
import { describeRequest, send } from '../input/send-fuzzed.ts'
import { consoleOperations, documentedOperations, type Operation } from '../requests/operations.ts'
import { insertSampleRun } from '../run-shop.ts'
import { createSamples, requiredQuery, type Samples, validBodies } from '../samples.ts'
import { isExcluded, type Kind, operationName, referenceKindOf } from './references.ts'
import { inputsOf, looksLikeReference, type RequestInput } from './request-inputs.ts'

const isLong = process.env['FAULTS'] === 'long'

let service: TestService
let own: Tenant
let ownIds: Samples
let member: ConsoleUser
let operations: Operation[]
let ofConsole: Operation[]
/** References to objects of another project, and to missing objects, by kind. */
let theirs: Record<Kind, string | number>
const missing: Record<Kind, string | number> = {
  products: 123_456_789,
  categories: 123_456_789,
  prompts: 123_456_789,
  proposals: 123_456_789,
  runs: 123_456_789,
  webhooks: 123_456_789,
  project: 123_456_789,
  views: 123_456_789,
  tokens: 123_456_789,
  sku: 'NOBODYS',
  'new sku': 'NOBODYS-NEW',
  label: 'unknown-x7',
  version: '8.8.8',
  attribute: 'unknown-x7',
  'view code': 'unknown-x7',
  key: 'unknown-x7',
  tag: '"1-missing"',
}

beforeAll(async () => {
  service = await startTestService({}, await ownDatabase('isolation'), noDeliveries)
  // Ids that no other number resembles: those of the other project begin with 7, our own with 5.
  await restartIds(7_000_000_001)
  theirs = await makeTheirs(await service.tenant())
  await restartIds(5_000_000_001)
  own = await service.tenant()
  ownIds = await createSamples(own.call, '/api')
  ownIds['runs'] = await insertSampleRun(service.database, own.project, ownIds['prompts'] ?? 0)
  // A different version, so that the ETags of the two projects differ.
  await own.call(`/api/products/${ownIds['products']}`, { method: 'PATCH', body: { name: 'Own' } })
  member = await newMember()
  operations = await documentedOperations(service.url)
  ofConsole = await consoleOperations()
})

/** The short form leaves out /api, which has the same routes as /v2 (every-route.test.ts). */
const mounts = [
  ...scaled([], [{ where: '/api', base: () => '/api' }]),
  { where: '/v2', base: () => '/v2' },
  { where: '/console', base: () => `/console/api/projects/${own.project}` },
]

async function restartIds(first: number): Promise<void> {
  for (const table of [
    'projects',
    'tokens',
    'products',
    'categories',
    'prompts',
    'proposals',
    'runs',
    'saved_views',
    'webhooks',
  ])
    await service.database.query(raw(`alter table ${table} alter column id restart with ${first}`))
}

const newMember = () => consoleUser(service, { projects: [own.project] })

async function makeTheirs(other: Tenant): Promise<typeof theirs> {
  const send = (method: string, path: string, body: object, headers = {}) =>
    other.call(`/v2${path}`, { method, body, headers })
  const ids = await createSamples(other.call, '/v2')
  ids['runs'] = await insertSampleRun(service.database, other.project, ids['prompts'] ?? 0)
  for (const sku of ['THEIRS', 'THEIRS-NEW']) await send('POST', '/products', { sku, name: 'N' })
  await send('POST', `/prompts/${ids['prompts']}/versions`, { prompt_text: 'U', version_number: '7.7.7' })
  await send('PUT', `/prompts/${ids['prompts']}/labels/foreign-x7`, { version_number: '7.7.7' })
  await send('POST', '/attributes', { name: 'foreign-x7', type: 'text' })
  await send('PUT', '/views/foreign-x7', { label: 'Foreign' })
  await send('PUT', '/ai-providers/foreign-x7', bodyFor('PUT /ai-providers/:name') as object)
  for (const route of Object.keys(validBodies).filter((one) => one.startsWith('POST ')))
    for (const mount of mounts) {
      const path = route.slice('POST '.length).replace(':id', String(ids[route.split('/')[1] ?? '']))
      const headers = { 'idempotency-key': `foreign-x7${mount.where}` }
      await send('POST', path, bodyFor(route) as object, headers)
    }
  const person = await consoleUser(service, { projects: [other.project] })
  const mount = `/console/api/projects/${other.project}`
  const { body: view } = await person.call(`${mount}/saved-views`, {
    method: 'POST',
    body: { name: 'V', query: '' },
  })
  const { headers } = await other.call(`/v2/products/${ids['products']}`)
  return {
    ...(ids as Record<'products' | 'categories' | 'prompts' | 'proposals' | 'runs' | 'webhooks', number>),
    project: other.project,
    views: view.id,
    tokens: other.tokenId,
    sku: 'THEIRS',
    'new sku': 'THEIRS-NEW',
    label: 'foreign-x7',
    version: '7.7.7',
    attribute: 'foreign-x7',
    'view code': 'foreign-x7',
    key: 'foreign-x7',
    tag: headers.get('etag') as string,
  }
}

const closed = (text: string) => new RegExp(`(?<![\\w.-])${RegExp.escape(text)}(?![\\w-])`, 'g')

/** A response without values that differ between any two requests, and without the sent references. */
function neutral({ status, text, headers }: TestResponse, kind: Kind): object {
  const plain = [theirs[kind], missing[kind]]
    .flatMap((sent) => [String(sent), encodeURIComponent(sent)])
    .reduce((rest, sent) => rest.replaceAll(closed(sent), 'SENT'), text)
    .replace(/"request_id":"[^"]+"/, '')
    .replace(/"\d{4}-\d\d-\d\dT[^"]+"/g, '"TIME"')
    .replace(/"marked":(null|\{[^}]*\})/g, '')
    .replace(/"secret":"[^"]+"/g, '"secret":"SECRET"')
    .replace(/"lag_seconds":[\d.]+/g, '"lag_seconds":LAG')
    .replace(/"(version|quantity|available)":\d+/g, '"$1":0')
    .replace(/\b50000\d{5}\b/g, 'OWN')
    .replace(/\bown-\d+/g, 'own-name')
    // After 429, a new user sends the second request.
    .replace(/[\da-f-]{36}@test\.example/g, 'MEMBER')
  const compared = [
    'content-type',
    'www-authenticate',
    'idempotency-replayed',
    'link',
    'allow',
    'cache-control',
  ]
  return { status, plain, headers: compared.map((name) => headers.get(name)) }
}

let made = 0

/** A valid request, except that it has the value in the given input. */
function requestWith({ operation, where }: RequestInput, value: string | number) {
  const { method, path } = operation
  const [part = '', name = ''] = where.split(' ')
  const noun = path.split('/').find((word) => word in ownIds) ?? ''
  const known: Record<string, string> = {
    project_id: String(own.project),
    id: String(ownIds[noun]),
    sku: 'S',
    version_number: '1.0.0',
    label: 'sample',
    name: 'sample',
    ...(part === 'path' && { [name]: encodeURIComponent(value) }),
  }
  const url = path.replace(/^\/(api|v2|console\/api\/projects\/\d+)(?=\/)/, '').replace(/\{(\w+)\}/g, ':$1')
  const query = requiredQuery(url) + (part === 'query' ? `&${name}=${encodeURIComponent(value)}` : '')
  // An operation without required fields may accept a body with only the reference.
  const body = bodyFor(`${method} ${url}`) ?? (part === 'body' ? {} : undefined)
  return {
    path: path.replace(/\{(\w+)\}/g, (_all, one) => known[one] as string) + query.replace(/^&/, '?'),
    method,
    ...(body !== undefined && {
      body: Buffer.from(JSON.stringify(part === 'body' ? withValue(body, name, value) : body)),
    }),
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(part === 'header' && { [name]: String(value) }),
    },
  }
}

/** With a new name each time, because some requests create objects. */
function bodyFor(route: string): unknown {
  made += 1
  const text = JSON.stringify(validBodies[route] ?? null)
  const body = JSON.parse(text.replaceAll(/"(sku|name)":"body"/gi, `"$1":"own-${made}"`))
  return body ?? undefined
}

/** Further fields that a body needs so that the value is read. */
const requiredFields: Record<string, object> = {
  '/components/*/id': { product_type: 'bundle' },
  '/components/*/sku': { product_type: 'bundle' },
  '/provenance/prompt_id': { provenance: { version_number: '1.0.0' } },
  '/attributes/*/required_for/categories/*': { attributes: [{ name: 'own', type: 'text' }] },
  '/edits/*/value': { edits: [{ field: 'categories', op: 'add_categories' }] },
}
const written: Record<string, (value: string | number) => unknown> = {
  '/filter': (value) => `category=${value}`,
  '/edits/*/value': (value) => [value],
}

function withValue(body: unknown, pointer: string, value: string | number): unknown {
  if (Array.isArray(body)) return [withValue(body[0], pointer, value)]
  const keys = pointer.slice(1).split('/')
  return setValue(
    { ...(body as object), ...requiredFields[pointer] },
    keys,
    written[pointer]?.(value) ?? value,
  )
}

function setValue(holder: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  if (key === '*') return [setValue((holder as unknown[] | undefined)?.[0], rest, value)]
  return { ...(holder as object), [key]: setValue((holder as Record<string, unknown>)?.[key], rest, value) }
}

/** Console routes are called with a session. After 429, a new user continues. */
async function call({ path, ...request }: ReturnType<typeof requestWith>): Promise<TestResponse> {
  const ask = () => {
    const isConsole = path.startsWith('/console')
    const credentials = isConsole ? { cookie: member.cookie } : { authorization: `Bearer ${own.token}` }
    return send(service.url, { ...request, path, headers: { ...credentials, ...request.headers } })
  }
  const response = await ask()
  if (response.status !== 429) return response
  member = await newMember()
  isWritten = true
  return ask()
}

let isWritten = true

/** Two responses in a row are equal only once all proposals are prepared and all events are numbered. */
async function backgroundIsDone(): Promise<void> {
  if (!isWritten) return
  const unprepared = sql`select id from proposals where state = 'preparing'`
  await expect.poll(() => service.database.query(unprepared)).toEqual([])
  await numberCommitted(service.database)
  isWritten = false
}

async function expectSameResponse(input: RequestInput, kind: Kind, mount: string): Promise<void> {
  const ask = async (name: string | number) => {
    // An idempotency key can be used only once.
    const value = kind === 'key' ? name + mount : name
    const request = requestWith(input, value)
    return { value, request, response: await call(request) }
  }
  if (input.operation.method === 'GET') await backgroundIsDone()
  else isWritten = true
  const other = await ask(theirs[kind])
  const none = await ask(missing[kind])
  const what = `${input.where}: ${describeRequest(other.request)}`
  expect(other.response.status, what).toBeLessThan(500)
  const both = `${what}\n${other.response.text}\n${none.response.text}`
  expect(neutral(other.response, kind), both).toEqual(neutral(none.response, kind))
  expect(other.response.text.replaceAll(String(other.value), ''), what).not.toMatch(/70000000\d\d/)
}

function withMount({ operation, ...input }: RequestInput, base: string): RequestInput {
  return { ...input, operation: { ...operation, path: base + operation.path } }
}

test('every parameter and field that can refer to an object is tested, or excluded with a reason', () => {
  const inputs = [...operations, ...ofConsole].flatMap(inputsOf)
  const forgotten = inputs
    .filter(
      (input) => looksLikeReference(input) && referenceKindOf(input) === undefined && !isExcluded(input),
    )
    .map((input) => `${operationName(input)} ${input.where}`)
  expect(forgotten).toEqual([])
  expect(inputs.filter((input) => referenceKindOf(input) !== undefined).length).toBeGreaterThan(150)
})

type Case = { input: RequestInput; kind: Kind; mount: string }

const testAll = (cases: Case[]) =>
  everyCase(
    cases,
    ({ input }) => `${input.operation.method} ${input.operation.path} ${input.where}`,
    ({ input, kind, mount }) => expectSameResponse(input, kind, mount),
    // One at a time, because a write could change the second response of another case.
    { atOnce: 1 },
  )

test.each(mounts)(
  'fault 21: under $where, a reference to an object of another project gets the same response as a missing object',
  async ({ base, where }) => {
    const cases = operations.flatMap(inputsOf).flatMap((input, index) => {
      const kind = referenceKindOf(input)
      // The mounts share handlers, so inputs other than the path are tested under one mount, or under all in the long form.
      const isTurn = input.where.startsWith('path') || mounts[index % mounts.length]?.where === where
      return kind !== undefined && (isTurn || isLong)
        ? [{ input: withMount(input, base()), kind, mount: where }]
        : []
    })
    await testAll(cases)
  },
)

test("fault 21: the same for the console's own project routes", async () => {
  const cases = ofConsole.flatMap(inputsOf).flatMap((input) => {
    const kind = referenceKindOf(input)
    return kind !== undefined && !isExcluded(input) ? [{ input, kind, mount: '' }] : []
  })
  await testAll(cases)
})
