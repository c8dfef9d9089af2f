import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { type BodyError, Problem } from '../problems.ts'
import { escapePointer } from './json-scan.ts'

/** Read-only fields that a client sent, with their paths and values. */
export type SentReadOnly = { path: readonly string[]; value: unknown }[]

type Properties = Record<string, ReadableSchema>
type ReadableSchema = TSchema & {
  readOnly?: boolean
  properties?: Properties
  'x-shown-as-record'?: boolean
  'x-measured'?: boolean
}

/** What is removed from a body: a whole value, a value in the form that reads return, or some of its fields. */
type Plan = Map<string, 'field' | 'measured' | 'record' | Plan>

const sentWith = new WeakMap<object, SentReadOnly>()

/** The read-only fields of a body, or undefined. */
export function readOnlyOf(body: object): SentReadOnly | undefined {
  return sentWith.get(body)
}

/** A body that can repeat the fields of `shown`: fields that cannot be written become read-only properties. */
export function updatable<Schema extends TSchema>(schema: Schema, shown: TSchema): Schema {
  const { properties: written = {} } = schema as ReadableSchema
  const others = Object.entries((shown as ReadableSchema).properties ?? {}).filter(
    ([name]) => !Object.hasOwn(written, name),
  )
  // Keywords next to a reference would be lost in the document.
  const added = others.map(([name, property]) => [
    name,
    { ...('$ref' in property ? { allOf: [property] } : property), readOnly: true },
  ])
  return { ...schema, properties: { ...written, ...Object.fromEntries(added) } }
}

type Separated = { writable: TSchema; plan: Plan | undefined }

// Shared by all routes with this body, so that it is compiled once.
const separated = new WeakMap<TSchema, Separated>()

/** The schema without read-only fields, and the plan for removing them from bodies; no plan if there are none. */
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

/** Removes the read-only fields from a body and remembers them. */
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
      // Measured values differ in every read.
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

/** The fields that differ from their current values. */
export function changedReadOnly(sent: SentReadOnly, current: object): BodyError[] {
  // Compared as JSON, which is what the client has read.
  const shown = JSON.parse(JSON.stringify(current))
  const changed = sent.filter(({ path, value }) => !isDeepStrictEqual(valueAt(shown, path), value))
  return readOnlyErrors(changed, 'is read-only and differs from the current value; omit it, or read it again')
}

export function rejectChangedReadOnly(sent: SentReadOnly | undefined, current: object): void {
  if (sent === undefined) return
  const errors = changedReadOnly(sent, current)
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}

/** For a new object, which has none of these values yet. */
export function readOnlyInCreate(sent: SentReadOnly): BodyError[] {
  return readOnlyErrors(sent, 'is set by the service; omit it when you create an object')
}

function readOnlyErrors(sent: SentReadOnly, message: string): BodyError[] {
  return sent.map(({ path }) => ({
    pointer: path.map((name) => `/${escapePointer(name)}`).join(''),
    code: 'read_only',
    message,
  }))
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), value)
}
