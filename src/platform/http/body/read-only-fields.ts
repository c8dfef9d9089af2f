import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { type BodyError, Problem } from '../problems.ts'
import { escapePointer } from './json-scan.ts'

/** A field that a client sent back though only the service sets it: where it is, and what it says. */
export type SentReadOnly = { path: readonly string[]; value: unknown }[]

type Properties = Record<string, ReadableSchema>
type ReadableSchema = TSchema & {
  readOnly?: boolean
  properties?: Properties
  'x-shown-as-record'?: boolean
  'x-measured'?: boolean
}

/** What is taken out of a body: all of a value, all of it where it has the form that reads show, or some of its fields. */
type Plan = Map<string, 'field' | 'measured' | 'record' | Plan>

const sentWith = new WeakMap<object, SentReadOnly>()

/** The read-only fields that came with a body, or undefined. */
export function readOnlyOf(body: object): SentReadOnly | undefined {
  return sentWith.get(body)
}

/** A body that may repeat what `shown` shows: fields that cannot be written become properties that are only to be read. */
export function updatable<Schema extends TSchema>(schema: Schema, shown: TSchema): Schema {
  const { properties: written = {} } = schema as ReadableSchema
  const others = Object.entries((shown as ReadableSchema).properties ?? {}).filter(
    ([name]) => !Object.hasOwn(written, name),
  )
  // What the document says beside a reference is lost.
  const added = others.map(([name, property]) => [
    name,
    { ...('$ref' in property ? { allOf: [property] } : property), readOnly: true },
  ])
  return { ...schema, properties: { ...written, ...Object.fromEntries(added) } }
}

type Separated = { writable: TSchema; plan: Plan | undefined }

// One for all routes that take the body, so that it is compiled once.
const separated = new WeakMap<TSchema, Separated>()

/** The schema without what is only read, and the plan by which that is taken out of bodies; no plan where there is nothing. */
export function separateReadOnly(schema: TSchema): Separated {
  const known = separated.get(schema) ?? separate(schema)
  separated.set(schema, known)
  return known
}

function separate(schema: TSchema): Separated {
  const { properties } = schema as ReadableSchema
  if (properties === undefined) return { writable: schema, plan: undefined }
  const plan: Plan = new Map()
  const kept: Properties = {}
  for (const [name, property] of Object.entries(properties)) {
    if (property.readOnly === true) {
      plan.set(name, property['x-measured'] === true ? 'measured' : 'field')
      continue
    }
    const { 'x-shown-as-record': isRecordToo, ...plain } = property
    const inner = separate(isRecordToo === true ? (plain as ReadableSchema) : property)
    kept[name] = inner.writable as ReadableSchema
    if (inner.plan !== undefined) plan.set(name, inner.plan)
    if (isRecordToo === true) plan.set(name, 'record')
  }
  if (plan.size === 0) return { writable: schema, plan: undefined }
  return { writable: { ...schema, properties: kept } as TSchema, plan }
}

/** Takes the read-only fields out of a body and keeps them with it. */
export function extractReadOnly(body: unknown, plan: Plan): void {
  const sent: SentReadOnly = []
  takeFrom(body, plan, [], sent)
  if (sent.length > 0) sentWith.set(body as object, sent)
}

function takeFrom(value: unknown, plan: Plan, above: readonly string[], sent: SentReadOnly): void {
  if (!isObject(value)) return
  for (const name of Object.keys(value)) {
    const how = plan.get(name)
    if (how === undefined) continue
    const path = [...above, name]
    if (how instanceof Map) takeFrom(value[name], how, path, sent)
    else if (how !== 'record' || isRecord(value[name])) {
      // A measurement is another one at every read.
      if (how !== 'measured') sent.push({ path, value: value[name] })
      delete value[name]
    }
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isRecord(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject)
}

/** Those that differ from what a read shows now. */
export function changedReadOnly(sent: SentReadOnly, current: object): BodyError[] {
  // As JSON, which is how the client has read it.
  const shown = JSON.parse(JSON.stringify(current))
  const changed = sent.filter(({ path, value }) => !isDeepStrictEqual(valueAt(shown, path), value))
  return faultsOf(changed, 'is read-only and differs from the current value; leave it out, or read it again')
}

export function rejectChangedReadOnly(sent: SentReadOnly | undefined, current: object): void {
  if (sent === undefined) return
  const errors = changedReadOnly(sent, current)
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}

/** Of something new, which has none of these values yet. */
export function readOnlyInCreate(sent: SentReadOnly): BodyError[] {
  return faultsOf(sent, 'is set by the service; leave it out when you create')
}

function faultsOf(sent: SentReadOnly, message: string): BodyError[] {
  return sent.map(({ path }) => ({
    pointer: path.map((name) => `/${escapePointer(name)}`).join(''),
    code: 'read_only',
    message,
  }))
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)
}
