import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { type AttributeValue, valuesOf } from '../fields/attributes.schema.ts'
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
export type AttributeFaults = { errors: BodyError[]; warnings: BodyError[] }

type Compiled = Pick<AttributeDefinition, 'name' | 'mode' | 'pattern'> & {
  check: CheckValue
  isRequiredFor: ((product: CheckedProduct) => boolean) | undefined
}

export type AttributeChecks = {
  /** Checks a write. `before` is undefined for a new product; `touched` has the attributes that the write names. */
  ofWrite(
    before: CheckedProduct | undefined,
    after: CheckedProduct,
    touched: Readonly<Record<string, unknown>> | undefined,
  ): AttributeFaults
  /** Checks a stored product. */
  ofProduct(product: CheckedProduct): BodyError[]
}

export function isChecked({ mode }: Pick<AttributeDefinition, 'mode'>): boolean {
  return mode !== 'off'
}

/** Undefined if no definition is checked. */
export function checksOf(definitions: readonly AttributeDefinition[]): AttributeChecks | undefined {
  const compiled = definitions.filter(isChecked).map(compile)
  if (compiled.length === 0) return undefined
  const byName = new Map(compiled.map((one) => [one.name, one]))
  const required = compiled.filter(({ isRequiredFor }) => isRequiredFor !== undefined)
  const isMissing = (one: Compiled, product: CheckedProduct) =>
    one.isRequiredFor?.(product) === true && isBlank(heldValue(product, one.name))

  function valueFaults(product: CheckedProduct, names: readonly string[]): [Compiled, BodyError][] {
    let patterned = 0
    return names.flatMap((name) => {
      const one = byName.get(name)
      const value = one && heldValue(product, name)
      if (one === undefined || value === undefined) return []
      if (one.pattern !== null) patterned += String(value).length
      const isTooMuch = one.pattern !== null && patterned > attributeLimits.patternedCharacters
      const fault = isTooMuch ? tooMuch : one.check(value)
      return fault === undefined ? [] : [[one, faultAt(name, fault)]]
    })
  }

  return {
    ofWrite(before, after, touched) {
      const found = valueFaults(after, Object.keys(touched ?? {}))
      if (after.status === 'active') {
        // An active product that already lacked the value can still change in other fields.
        const lackedBefore = (one: Compiled) => before?.status === 'active' && isMissing(one, before)
        for (const one of required)
          if (isMissing(one, after) && !lackedBefore(one)) found.push([one, missing(one.name)])
      }
      const faultsOf = (mode: Compiled['mode']) =>
        found.flatMap(([one, fault]) => (one.mode === mode ? [fault] : []))
      return { errors: faultsOf('enforce'), warnings: faultsOf('warn') }
    },
    ofProduct: (product) => [
      ...valueFaults(product, Object.keys(product.attributes)).map(([, fault]) => fault),
      ...(product.status === 'active' ? required : [])
        .filter((one) => isMissing(one, product))
        .map(({ name }) => missing(name)),
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
    isRequiredFor:
      required_for === null
        ? undefined
        : (product) =>
            (types.size === 0 || types.has(product.product_type)) &&
            (categories.size === 0 || product.categories.some(({ id }) => categories.has(id))),
  }
}

/** An attribute can be named like a property that every object inherits. */
function heldValue({ attributes }: CheckedProduct, name: string): AttributeValue | undefined {
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

function isBlank(value: AttributeValue | undefined): boolean {
  return value === undefined || valuesOf(value).every((one) => typeof one === 'string' && one.trim() === '')
}

function faultAt(name: string, { code, message }: { code: string; message: string }): BodyError {
  return { pointer: `/attributes/${escapePointer(name)}`, code, message }
}

function missing(name: string): BodyError {
  return faultAt(name, {
    code: 'required',
    message: 'is required for active products of this type and category',
  })
}
