import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { type BodyError, Problem } from '../problems.ts'
import { arrayHint, choiceHint, fieldHint, typeHint } from '../request/hints.ts'
import { hiddenErrors } from './json-body.ts'
import { escapePointer } from './json-scan.ts'
import { extractReadOnly, separateReadOnly } from './read-only-fields.ts'

const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  useDefaults: true,
  allowUnionTypes: true,
  // A test checks that body schemas are valid, because compiling the metaschema would slow down every command.
  meta: false,
  validateSchema: false,
})
formats.default(ajv)
// Trimmed and normalized before its length is measured, so that two encodings of one SKU are equal.
ajv.addKeyword({
  keyword: 'x-normalised',
  type: 'string',
  modifying: true,
  before: 'maxLength',
  validate: (
    _on: boolean,
    text: string,
    _schema?: unknown,
    place?: { parentData: Record<string | number, unknown>; parentDataProperty: string | number },
  ) => {
    if (place !== undefined) place.parentData[place.parentDataProperty] = normalizeText(text)
    return true
  },
})
// multipleOf: 0.0001 rejects 19.99, because neither is exact in binary.
ajv.addKeyword({
  keyword: 'x-max-decimals',
  type: 'number',
  validate: (decimals: number, value: number) => Number(value.toFixed(decimals)) === value,
})

// The value is a pattern for other texts that are valid too.
ajv.addKeyword({
  keyword: 'x-https-url',
  type: 'string',
  compile: (pattern: string) => {
    const others = new RegExp(pattern)
    return (text: string) => isHttpsUrl(text) || others.test(text)
  },
})
// For an object with a fixed set of keys, one error describes the expected form.
ajv.addKeyword({ keyword: 'x-form', schemaType: 'boolean' })
// Names that an object rejects for a known reason: {names, code, message}.
ajv.addKeyword({ keyword: 'x-rejected', schemaType: 'object' })

// URL would accept surrounding spaces, line breaks, and missing or extra slashes.
const httpsUrl = /^https:\/\/(?![/\\])[^\p{Cc}]*\S$/u

function isHttpsUrl(text: string): boolean {
  const url = httpsUrl.test(text) ? URL.parse(text) : null
  return url !== null && url.username === '' && url.password === ''
}

export function normalizeText(text: string): string {
  return text.trim().normalize('NFC')
}

const errorCodes: Record<string, string> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'invalid_type',
  enum: 'invalid_choice',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  minItems: 'too_few',
  maxItems: 'too_many',
  maxProperties: 'too_many',
  'x-max-decimals': 'too_many_decimals',
}

type Result = { value: unknown } | { error: Problem }

/** Finds all errors of a body at once. */
export function compileBody(schema: TSchema): (body: unknown) => Result {
  // Compiled for the first body instead of at startup, because most routes are rarely used. ajv caches the result.
  let compiled: ValidateFunction | undefined
  const { $id: schemaName } = schema as { $id?: string }
  const { writable, plan } = separateReadOnly(schema)
  return (body) => {
    compiled ??= ajv.compile(writable)
    const validate = compiled
    if (plan !== undefined) extractReadOnly(body, plan)
    const valid = validate(body)
    const hidden = hiddenErrors(body)
    const shown = valid ? [] : bodyErrors(validate.errors ?? [])
    const errors = [
      ...hidden,
      ...shown.filter(({ pointer }) => !hidden.some((error) => error.pointer === pointer)),
    ]
    if (errors.length === 0) return { value: body }
    return { error: new Problem('invalid_body', { errors, ...arrayHint(body, schemaName) }) }
  }
}

function bodyErrors(errors: ErrorObject[]): BodyError[] {
  // A failed anyOf also lists the errors of each branch. Its own message is clearer, unless one branch was intended.
  const relevant = errors
    .filter(({ keyword, schemaPath }) => keyword !== 'propertyNames' && !/\/anyOf\/\d/.test(schemaPath))
    .flatMap((error) => (error.keyword === 'anyOf' ? (errorsWithin(error, errors) ?? error) : error))
  const wrongType = new Set(
    relevant.filter(({ keyword }) => keyword === 'type').map(({ instancePath }) => instancePath),
  )
  const first = relevant.filter(
    ({ keyword, instancePath }) => keyword === 'type' || !wrongType.has(instancePath),
  )
  const forms = first.filter((error) => isOfForm(error))
  return first
    .filter((error) => !isOfForm(error) || error === forms.find(isAt(error)))
    .map((error) => ({
      pointer: isOfForm(error) ? error.instancePath : pointerTo(error),
      code: isOfForm(error)
        ? 'invalid_format'
        : (rejectionOf(error)?.code ?? errorCodes[error.keyword] ?? 'invalid_format'),
      message: messageOf(error),
    }))
}

type Rejection = { names: readonly string[]; code: string; message: string }

function rejectionOf({ keyword, params, parentSchema }: ErrorObject): Rejection | undefined {
  const rejected = parentSchema?.['x-rejected'] as Rejection | undefined
  const isRejected =
    keyword === 'additionalProperties' && rejected?.names.includes(params['additionalProperty'])
  return isRejected ? rejected : undefined
}

function isOfForm({ parentSchema }: ErrorObject): boolean {
  return parentSchema?.['x-form'] === true
}

function isAt({ instancePath }: ErrorObject): (error: ErrorObject) => boolean {
  return (error) => error.instancePath === instancePath
}

/**
 * The errors of the intended branch of a failed anyOf: the branch whose errors are all nested deeper.
 * If every branch only lacks a required field, the first branch is the intended one.
 */
function errorsWithin(
  { instancePath, schemaPath }: ErrorObject,
  errors: ErrorObject[],
): ErrorObject[] | undefined {
  const ofBranches = errors.filter(
    (error) =>
      error.schemaPath.startsWith(`${schemaPath}/`) &&
      `${error.instancePath}/`.startsWith(`${instancePath}/`),
  )
  if (ofBranches.every(({ keyword }) => keyword === 'required')) return ofBranches.slice(0, 1)
  const branches = Map.groupBy(ofBranches, (error) => error.schemaPath.slice(schemaPath.length).split('/')[1])
  const meant = [...branches.values()].filter((branch) =>
    branch.every((error) => error.instancePath !== instancePath),
  )
  return meant.length === 1 ? meant[0] : undefined
}

function pointerTo({ instancePath, keyword, params, propertyName }: ErrorObject): string {
  const key =
    keyword === 'required' ? params['missingProperty'] : (params['additionalProperty'] ?? propertyName)
  return key === undefined ? instancePath : `${instancePath}/${escapePointer(String(key))}`
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, message, parentSchema, propertyName, data } = error
  if (isOfForm(error)) return `must be ${parentSchema?.['description']}`
  const types = [params['type']].flat()
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties': {
      const rejection = rejectionOf(error)
      if (rejection !== undefined) return rejection.message
      return `is not a field that can be written${fieldHint(params['additionalProperty'], parentSchema?.['properties'] ?? {})}`
    }
    case 'enum':
      return `must be one of ${params['allowedValues'].map(String).join(', ')}${choiceHint(data, params['allowedValues'])}`
    case 'x-max-decimals':
      return `must have at most ${parentSchema?.[keyword]} decimals`
    case 'anyOf':
    case 'pattern':
    case 'x-https-url':
      return `must be ${parentSchema?.['description'] ?? 'valid'}`
    case 'type':
      return `must be ${types.join(' or ')}${typeHint(types, data, parentSchema?.['properties'])}`
    case 'minItems':
      return `must have at least ${params['limit']} item`
    case 'minLength':
      return `${propertyName === undefined ? '' : 'its name '}must not be empty`
    default:
      return `${propertyName === undefined ? '' : 'its name '}${message ?? 'is not valid'}`
  }
}
