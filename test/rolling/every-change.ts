import { expect } from 'vitest'
import { type EventType, eventTypes } from '../../src/model/events/event-types.ts'
import { bearer } from '../processes/served-shop.ts'

/** A change as its event names it: attributes by name, rules by version, everything else by ID. */
export type Changed = { type: EventType; object: string }

// biome-ignore lint/suspicious/noExplicitAny: responses of every route
type Body = any

/** These need 30 days or a failing receiver. src/delivery/events/older-releases.test.ts tests them. */
const timed: EventType[] = ['proposal.expired', 'webhook.failing', 'webhook.disabled']
/** The previous release has no runs and no views. */
const newer: EventType[] = [
  ...(['run.started', 'run.waiting', 'run.finished'] as const),
  ...(['view.created', 'view.updated', 'view.deleted'] as const),
]

function caller(url: string, token: string) {
  return async (method: string, path: string, body?: object): Promise<Body> => {
    const response = await fetch(`${url}/v2/${path}`, {
      method,
      headers: { ...bearer(token), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    expect(response.status, `${method} ${path}: ${text}`).toBeLessThan(300)
    return text === '' ? undefined : JSON.parse(text)
  }
}

/** Makes every kind of change, and returns the expected events, in any order. */
export async function makeEveryChange(url: string, token: string, name: string): Promise<Changed[]> {
  const call = caller(url, token)
  const made: Changed[] = []
  const note = (type: EventType, object: unknown) => void made.push({ type, object: String(object) })
  await changeProducts(call, note, name)
  await changeRules(call, note, name)
  await changePrompts(call, note, name)
  await changeProposals(call, note, name)
  const types = new Set(made.map(({ type }) => type))
  expect([...types, ...timed, ...newer].sort()).toEqual([...eventTypes.keys()].sort())
  return made
}

type Call = ReturnType<typeof caller>
type Note = (type: EventType, object: unknown) => void

async function changeProducts(call: Call, note: Note, name: string): Promise<void> {
  const { id } = await call('POST', 'products', { sku: name, name, categories: [{ name: `${name} made` }] })
  note('product.created', id)
  const [made] = (await call('GET', `categories?search=${name}`)).results
  note('category.created', made.id)
  await call('PATCH', `products/${id}`, { price: 1 })
  note('product.updated', id)
  await call('POST', `products/${id}/inventory/adjust`, { delta: 1, reason: 'Delivery' })
  note('product.stock_changed', id)
  const { id: parent } = await call('POST', 'categories', { name })
  note('category.created', parent)
  const { id: child } = await call('POST', 'categories', { name: 'Child', parent })
  note('category.created', child)
  await call('PATCH', `categories/${child}`, { position: 2 })
  note('category.updated', child)
  await call('POST', `categories/${parent}/merge`, { into: made.id })
  note('category.updated', child)
  note('category.deleted', parent)
}

async function changeRules(call: Call, note: Note, name: string): Promise<void> {
  await call('POST', 'attributes', { name, type: 'text' })
  note('attribute.created', name)
  await call('PATCH', `attributes/${name}`, { label: 'Label' })
  note('attribute.updated', name)
  await call('DELETE', `attributes/${name}`)
  note('attribute.deleted', name)
  const rules = [{ code: name, kind: 'price_present', points: 1 }]
  note('quality_rules.updated', (await call('PUT', 'quality-rules', { rules })).ruleset)
}

async function changePrompts(call: Call, note: Note, name: string): Promise<void> {
  const { id } = await call('POST', 'prompts', { name, prompt_text: 'One' })
  note('prompt.created', id)
  await call('PATCH', `prompts/${id}`, { description: 'Changed' })
  note('prompt.updated', id)
  await call('POST', `prompts/${id}/versions`, { prompt_text: 'Two' })
  note('prompt.version_created', id)
  await call('PUT', `prompts/${id}/labels/production`, { version_number: '1.0.0' })
  await call('DELETE', `prompts/${id}/labels/production`)
  for (let times = 2; times > 0; times -= 1) note('prompt.label_moved', id)
}

async function changeProposals(call: Call, note: Note, name: string): Promise<void> {
  const propose = async (...lines: object[]) => (await call('POST', 'proposals', lines)).id as number
  const opened = async (...lines: object[]) => {
    const id = await propose(...lines)
    note('proposal.opened', id)
    return id
  }
  const first = await opened({ sku: name, price: 2 }, { sku: name, name: 'Two' })
  await call('POST', `proposals/${first}/apply`, { lines: [1] })
  note('proposal.updated', first)
  await call('POST', `proposals/${first}/apply`, {})
  note('proposal.applied', first)
  const unwanted = await opened({ sku: name, price: 3 })
  await call('POST', `proposals/${unwanted}/discard`, {})
  note('proposal.discarded', unwanted)
  note('proposal.failed', await propose({ sku: name, price: -1 }))
  const contested = await opened({ sku: name, price: 4 }, { sku: name, name: 'Four' })
  await call('POST', 'products/bulk', [{ sku: name, price: 5 }])
  await call('POST', `proposals/${contested}/apply`, {})
  note('proposal.partly_applied', contested)
  const filter = { filter: `sku=${name}`, edits: [{ field: 'price', op: 'set', value: 6 }] }
  const { id } = await call('POST', 'proposals/from-filter', filter)
  note('proposal.opened', id)
  await expect
    .poll(async () => (await call('GET', `proposals/${id}`)).state, { timeout: 30_000 })
    .toBe('open')
}

/** The head of the feed. */
export async function headOfFeed(url: string, token: string): Promise<string> {
  return (await caller(url, token)('GET', 'events?after=0&limit=1')).head
}

/** The events after the cursor. */
export async function eventsAfter(url: string, token: string, cursor: string): Promise<Changed[]> {
  const call = caller(url, token)
  const found: Changed[] = []
  for (let after = cursor; ; ) {
    const page = await call('GET', `events?after=${after}&limit=1000`)
    found.push(...page.results.map(changedOf))
    if (page.cursor === page.head) return found
    after = page.cursor
  }
}

function changedOf({ type, data }: Body): Changed {
  const { object, id, version, before, after } = data
  if (object === 'attribute') return { type, object: (after ?? before).name }
  return { type, object: String(object === 'quality_rules' ? version : id) }
}
