import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scaled } from '../../../test/faults/scale.ts'
import { sharedTestService, type Tenant, type TestService } from '../../../test/harness.ts'
import { sql } from '../../platform/database/sql.ts'

/*
 * Writes to the base and to views, against a model that keeps the source text of every translation instead of a fingerprint.
 */

const codes = ['a', 'b', 'c'] as const
type Code = (typeof codes)[number]
const currencies: Record<Code, string> = { a: 'EUR', b: 'EUR', c: 'USD' }
const fallbacks: Record<Code, Code[]> = { a: ['b', 'c'], b: ['c'], c: [] }
const chains: Record<Code, Code[]> = { a: ['a', 'b', 'c'], b: ['b', 'c'], c: ['c'] }
const texts = ['name', 'description', 'attributes.x.y'] as const
const fields = [...texts, 'price'] as const
type Field = (typeof fields)[number]

const word = fc.constantFrom('p', 'q', 'r')
const code = fc.constantFrom(...codes)
const value = (field: Field): fc.Arbitrary<string | number> => (field === 'price' ? fc.nat(2) : word)
const written = fc
  .constantFrom(...fields)
  .chain((field) => fc.record({ field: fc.constant(field), value: fc.option(value(field), { freq: 3 }) }))
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act: fc.constant('base' as const), write: written }) },
  {
    weight: 6,
    arbitrary: fc.record({ act: fc.constant('view' as const), code, write: written, isPushed: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('both' as const), code, write: written, other: written }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('confirm' as const), code, field: fc.constantFrom(...texts) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('put' as const) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('revert' as const), back: fc.nat(5) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Write = { field: Field; value: string | number | null }

type Values = Partial<Record<Field, string | number>>
type Model = {
  base: Values
  views: Record<Code, Values>
  /** The source of each text when it was written or confirmed. */
  sources: Record<Code, Values>
}

function found(
  model: Model,
  of: Code,
  field: Field,
  start: number,
): { value: string | number; from: string } | undefined {
  const currency = currencies[of]
  for (const one of chains[of].slice(start)) {
    const own = model.views[one][field]
    if (own !== undefined && (field !== 'price' || currencies[one] === currency))
      return { value: own, from: one }
  }
  const own = model.base[field]
  return own === undefined || (field === 'price' && currency !== 'EUR')
    ? undefined
    : { value: own, from: 'base' }
}

const sourceOf = (model: Model, of: Code, field: Field) => found(model, of, field, 1)?.value ?? ''

function change(model: Model, of: Code | 'base', { field, value }: Write): void {
  const values = of === 'base' ? model.base : model.views[of]
  if (value !== null) values[field] = value
  else if (of === 'base' && field === 'description') values[field] = ''
  else if (of !== 'base' || field !== 'name') delete values[field]
}

/** After all values of a write: a changed text has the current source. A patch also renews a text that it repeats. */
function stamp(model: Model, of: Code, { field, value }: Write, before?: Values): void {
  if (field === 'price') return
  if (value === null) delete model.sources[of][field]
  else if (before?.[field] !== value) model.sources[of][field] = sourceOf(model, of, field)
}

function shown(model: Model, of: Code) {
  const from: Record<string, string> = {}
  const stale: string[] = []
  const values: Record<string, unknown> = {}
  for (const field of fields) {
    const one = found(model, of, field, 0)
    values[field] = one?.value ?? (field === 'description' ? '' : null)
    if (one === undefined || one.from === 'base') continue
    from[field] = one.from
    const holder = one.from as Code
    if (field !== 'price' && model.sources[holder][field] !== sourceOf(model, holder, field))
      stale.push(field)
  }
  const missing = (['name', 'price'] as const).filter((field) => {
    const one = found(model, of, field, 0)
    return one === undefined || (field === 'name' && one.from === 'base')
  })
  return { values, from, stale, missing }
}

/** What filters find. A stale text counts for the view that has it. */
function marksOf(model: Model): string[] {
  return codes
    .flatMap((of) => {
      const { missing } = shown(model, of)
      const isStale = texts.some(
        (field) =>
          model.views[of][field] !== undefined && model.sources[of][field] !== sourceOf(model, of, field),
      )
      return [
        ...missing.map((field) => `missing:${of}.${field}`),
        ...(missing.length > 0 ? [`missing:${of}`] : []),
        ...(Object.keys(model.views[of]).length > 0 ? [`differs:${of}`] : []),
        ...(isStale ? [`stale:${of}`] : []),
      ]
    })
    .toSorted()
}

async function expectMarks({ database }: TestService, id: number, model: Model): Promise<void> {
  const [row] = await database.query(
    sql<{ marks: string[] | null }>`select view_marks as marks from products where id = ${id}`,
  )
  expect(row?.marks ?? []).toEqual(marksOf(model))
}

const nest = ({ field, value }: Write): object =>
  field === 'attributes.x.y' ? { attributes: { 'x.y': value } } : { [field]: value }

test('reads through views equal a model of chains, currencies, staleness and merges', async () => {
  const service = await sharedTestService()
  const shop = await service.tenant()
  for (const one of codes.toReversed())
    await shop.call(`/v2/views/${one}`, {
      method: 'PUT',
      body: {
        label: one,
        currency: currencies[one],
        falls_back_to: fallbacks[one],
        requires: ['name', 'price'],
      },
    })
  let number = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      number += 1
      await follow(service, shop, `S${number}`, steps)
    }),
    { numRuns: scaled(3, 300) },
  )
}, 120_000)

async function follow(service: TestService, shop: Tenant, sku: string, steps: Step[]): Promise<void> {
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await shop.call(`/v2${path}`, { method, ...(body !== undefined && { body }) })
    return response
  }
  const { body: product } = await send('POST', '/products', { sku, name: 'p' })
  const at = `/products/${product.id}`
  const empty = () => ({ a: {}, b: {}, c: {} })
  let model: Model = { base: { name: 'p', description: '' }, views: empty(), sources: empty() }
  const versions: Model[] = [structuredClone(model)]
  const expectOk = (response: { status: number; text: string }) =>
    expect(response.status, response.text).toBe(200)
  for (const one of steps) {
    const before = structuredClone(model)
    if (one.act === 'base' || one.act === 'both') {
      // A base name is required, and a base description is empty instead of null.
      const write = one.write as Write
      if (write.field === 'name' && write.value === null) continue
      const base = nest(
        write.field === 'description' && write.value === null ? { ...write, value: '' } : write,
      )
      const other = one.act === 'both' ? (one.other as Write) : undefined
      expectOk(
        await send('PATCH', at, {
          ...base,
          ...(other && { views: { [(one as { code: Code }).code]: nest(other) } }),
        }),
      )
      change(model, 'base', write)
      if (one.act === 'both' && other !== undefined) {
        change(model, one.code, other)
        stamp(model, one.code, other)
      }
    } else if (one.act === 'view') {
      const write = one.write as Write
      if (one.isPushed)
        expectOk(await send('POST', '/products/bulk', [{ sku, views: { [one.code]: nest(write) } }]))
      else expectOk(await send('PATCH', `${at}?view=${one.code}`, nest(write)))
      change(model, one.code, write)
      stamp(model, one.code, write, one.isPushed ? before.views[one.code] : undefined)
    } else if (one.act === 'confirm') {
      const has = model.views[one.code][one.field] !== undefined
      const response = await send('PATCH', `${at}?view=${one.code}&confirm=${one.field}`, {})
      expect(response.status).toBe(has ? 200 : 400)
      if (has) model.sources[one.code][one.field] = sourceOf(model, one.code, one.field)
    } else if (one.act === 'put') {
      const { body } = await send('GET', at)
      expectOk(await send('PUT', at, body))
    } else {
      const version = Math.max(1, versions.length - one.back)
      expectOk(await send('POST', `${at}/revert`, { version }))
      model = structuredClone(versions[version - 1] as Model)
    }
    const { body: now } = await send('GET', at)
    if (now.version > versions.length) versions.push(structuredClone(model))
    await expectMarks(service, product.id, model)
    for (const of of one === steps.at(-1) ? codes : (['a'] as const)) await expectShown(shop, at, model, of)
  }
}

async function expectShown(shop: Tenant, at: string, model: Model, of: Code): Promise<void> {
  const { body } = await shop.call(`/v2${at}?view=${of}`)
  const { values, from, stale, missing } = shown(model, of)
  expect({
    ...{ name: body.name, description: body.description, price: body.price },
    'attributes.x.y': body.attributes['x.y'] ?? null,
  }).toEqual(values)
  expect(body.currency).toBe(currencies[of])
  expect(body.view.from).toEqual(from)
  expect(body.view.stale.toSorted()).toEqual(stale.toSorted())
  expect(body.view.missing).toEqual(missing)
}
