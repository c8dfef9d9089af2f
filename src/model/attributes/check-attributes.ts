import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { type AttributeValue, valueList } from '../fields/attributes.schema.ts'
import { attributeLimits } from '../limits/attributes.ts'
import type { AttributeDefinition } from './attribute-definition.schema.ts'
import { type CheckValue, compileDefinition } from './check-value.ts'

type CheckedProduct = {
  status: string
  product_type: string
  categories: readonly { id: number }[]
  attributes: Readonly<Record<string, AttributeValue>>
}

/** Errors reject a write. Warnings are only reported. */
export type AttributeErrors = { errors: BodyError[]; warnings: BodyError[] }

type Compiled = Pick<AttributeDefinition, 'name' | 'mode' | 'pattern'> & {
  check: CheckValue
  /** The products that require it, for messages. */
  requiredFor: string
  isRequiredFor: ((product: CheckedProduct) => boolean) | undefined
}

export type AttributeChecks = {
  /** Checks a write. `before` is undefined for a new product; `touched` has the attributes that the write names. */
  checkWrite(
    before: CheckedProduct | undefined,
    after: CheckedProduct,
    touched: Readonly<Record<string, unknown>> | undefined,
  ): AttributeErrors
  /** Checks a stored product. */
  checkProduct(product: CheckedProduct): BodyError[]
}

export function isChecked({ mode }: Pick<AttributeDefinition, 'mode'>): boolean {
  return mode !== 'off'
}

/** Undefined if no definition is checked. */
export function compileChecks(definitions: readonly AttributeDefinition[]): AttributeChecks | undefined {
  const compiled = definitions.filter(isChecked).map(compile)
  if (compiled.length === 0) return undefined
  const byName = new Map(compiled.map((one) => [one.name, one]))
  const required = compiled.filter(({ isRequiredFor }) => isRequiredFor !== undefined)
  const isMissing = (one: Compiled, product: CheckedProduct) =>
    one.isRequiredFor?.(product) === true && isEmptyValue(ownValue(product, one.name))

  function findValueErrors(product: CheckedProduct, names: readonly string[]): [Compiled, BodyError][] {
    let patterned = 0
    return names.flatMap((name) => {
      const one = byName.get(name)
      const value = one && ownValue(product, name)
      if (one === undefined || value === undefined) return []
      if (one.pattern !== null) patterned += String(value).length
      const isTooMuch = one.pattern !== null && patterned > attributeLimits.patternedCharacters
      const error = isTooMuch ? tooMuch : one.check(value)
      return error === undefined ? [] : [[one, attributeError(name, error)]]
    })
  }

  return {
    checkWrite(before, after, touched) {
      const found = findValueErrors(after, Object.keys(touched ?? {}))
      if (after.status === 'active') {
        // An active product that already lacked the value can still change in other fields.
        const lackedBefore = (one: Compiled) => before?.status === 'active' && isMissing(one, before)
        for (const one of required)
          if (isMissing(one, after) && !lackedBefore(one)) found.push([one, missingAttribute(one)])
      }
      const errorsInMode = (mode: Compiled['mode']) =>
        found.flatMap(([one, error]) => (one.mode === mode ? [error] : []))
      return { errors: errorsInMode('enforce'), warnings: errorsInMode('warn') }
    },
    checkProduct: (product) => [
      ...findValueErrors(product, Object.keys(product.attributes)).map(([, error]) => error),
      ...(product.status === 'active' ? required : [])
        .filter((one) => isMissing(one, product))
        .map(missingAttribute),
    ],
  }
}

const tooMuch = {
  code: 'too_long',
  message: `exceeds the limit: the values of a product that patterns check can have at most ${attributeLimits.patternedCharacters} characters in total`,
}

function compile(definition: AttributeDefinition): Compiled {
  const { name, mode, pattern, required_for } = definition
  const types = new Set<string>(required_for?.product_types)
  const categories = new Set(required_for?.categories)
  return {
    name,
    mode,
    pattern,
    check: compileDefinition(definition),
    requiredFor: describeRequired(types.size, categories.size),
    isRequiredFor:
      required_for === null
        ? undefined
        : (product) =>
            (types.size === 0 || types.has(product.product_type)) &&
            (categories.size === 0 || product.categories.some(({ id }) => categories.has(id))),
  }
}

/** An attribute can be named like a property that every object inherits. */
function ownValue({ attributes }: CheckedProduct, name: string): AttributeValue | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

function isEmptyValue(value: AttributeValue | undefined): boolean {
  return value === undefined || valueList(value).every((one) => typeof one === 'string' && one.trim() === '')
}

function attributeError(name: string, { code, message }: { code: string; message: string }): BodyError {
  return { pointer: `/attributes/${escapePointer(name)}`, code, message }
}

function missingAttribute({ name, requiredFor }: Compiled): BodyError {
  return attributeError(name, { code: 'required', message: `is required for ${requiredFor}` })
}

function describeRequired(types: number, categories: number): string {
  const parts = ['active products', types > 0 && 'of this type', categories > 0 && 'in this category']
  return parts.filter((part) => part !== false).join(' ')
}
