import { componentTypes } from '../../model/structure/check-structure.ts'
import { linkKinds } from '../../model/structure/link-kinds.ts'
import {
  type Component,
  type ComponentInput,
  type Reference,
  type ReferenceInput,
  type ResolvedStructure,
  referenceKey,
} from '../../model/structure/structure.schema.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { type ProductLookup, referenceTo, type WrittenReferences } from './look-up-products.ts'

type Resolving = {
  find: ProductLookup
  isStrict: boolean
  /** The SKUs of the product itself, before and after a change. */
  ownSkus: readonly string[]
  errors: BodyError[]
}

const nothing = { resolved: {}, errors: [] }

/** Resolves the references of a write. An unknown SKU stays a SKU, or is an error if references are strict. */
export function resolveStructure(
  { parent, components, links }: WrittenReferences,
  find: ProductLookup,
  { isStrict, ownSkus }: Pick<Resolving, 'isStrict' | 'ownSkus'>,
): { resolved: ResolvedStructure; errors: BodyError[] } {
  if (parent === undefined && components === undefined && links === undefined) return nothing
  const resolving = { find, isStrict, ownSkus, errors: [] as BodyError[] }
  const resolved: ResolvedStructure = {}
  if (parent !== undefined) resolved.parent = parent && resolveParent(parent, resolving)
  if (components !== undefined) resolved.components = resolveComponents(components, resolving)
  if (links !== undefined)
    resolved.links = Object.fromEntries(
      linkKinds
        .filter((kind) => links[kind] !== undefined)
        .map((kind) => [kind, resolveList(links[kind] ?? [], `/links/${kind}`, resolving)]),
    )
  return { resolved, errors: resolving.errors }
}

function resolve(
  named: ReferenceInput,
  pointer: string,
  { find, isStrict, ownSkus, errors }: Resolving,
): Reference {
  const found = find(named)
  const { id, sku } = named
  if (ownSkus.includes(found?.sku ?? sku ?? ''))
    errors.push({
      pointer,
      code: 'self_reference',
      message: 'is the product itself; reference another product',
    })
  if (found !== undefined) return referenceTo(found)
  if (id != null)
    errors.push({
      pointer: `${pointer}/id`,
      code: 'unknown_product',
      message: `product ${id} does not exist in this project`,
    })
  else if (sku === undefined)
    errors.push({ pointer, code: 'required', message: 'must have the id or sku of a product' })
  else if (isStrict)
    errors.push({
      pointer: `${pointer}/sku`,
      code: 'unknown_sku',
      message: `no product has the SKU "${sku}"; create it first, or remove references=strict`,
    })
  return { id: null, sku: sku ?? '' }
}

function resolveParent(named: ReferenceInput, resolving: Resolving): Reference {
  const type = resolving.find(named)?.product_type
  if (type !== undefined && type !== 'configurable')
    resolving.errors.push({
      pointer: '/parent',
      code: 'wrong_type',
      message: `is ${type}; only a configurable product can have variants`,
    })
  return resolve(named, '/parent', resolving)
}

/** Removes duplicates, and keeps the order. */
function resolveList(list: ReferenceInput[], pointer: string, resolving: Resolving): Reference[] {
  const references = list.map((named, index) => resolve(named, `${pointer}/${index}`, resolving))
  return [...new Map(references.map((reference) => [referenceKey(reference), reference])).values()]
}

function resolveComponents(list: ComponentInput[], resolving: Resolving): Component[] {
  const seen = new Set<string>()
  const defaults = new Set<string>()
  return list.map((named, index) => {
    const pointer = `/components/${index}`
    const addError = (code: string, message: string, at = pointer) =>
      resolving.errors.push({ pointer: at, code, message })
    const { quantity = 1, choice, default: isDefault = false } = named
    const reference = resolve(named, pointer, resolving)
    const type = resolving.find(named)?.product_type
    if (type !== undefined && !componentTypes.includes(type))
      addError('wrong_type', `is ${type}; a component is ${componentTypes.join(' or ')}`)
    const key = JSON.stringify([choice, referenceKey(reference)])
    if (seen.has(key)) addError('duplicate', 'is a duplicate; increase the quantity instead')
    seen.add(key)
    if (isDefault && choice === undefined)
      addError('invalid_default', 'requires a choice', `${pointer}/default`)
    if (isDefault && choice !== undefined && defaults.has(choice))
      addError(
        'invalid_default',
        `is the second default of "${choice}"; a choice has one default`,
        `${pointer}/default`,
      )
    if (isDefault && choice !== undefined) defaults.add(choice)
    return {
      ...reference,
      quantity,
      ...(choice !== undefined && { choice }),
      ...(isDefault && { default: true }),
    }
  })
}
