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
import { type NamedOthers, type ProductLookup, referenceTo } from './look-up-products.ts'

type Resolving = {
  find: ProductLookup
  isStrict: boolean
  /** What the product itself is called: before and after a change of its SKU. */
  ownSkus: readonly string[]
  faults: BodyError[]
}

const nothing = { resolved: {}, faults: [] }

/** Names as references. A SKU that nobody has stays a SKU, or is a fault where references are strict. */
export function resolveStructure(
  { parent, components, links }: NamedOthers,
  find: ProductLookup,
  { isStrict, ownSkus }: Pick<Resolving, 'isStrict' | 'ownSkus'>,
): { resolved: ResolvedStructure; faults: BodyError[] } {
  if (parent === undefined && components === undefined && links === undefined) return nothing
  const resolving = { find, isStrict, ownSkus, faults: [] as BodyError[] }
  const resolved: ResolvedStructure = {}
  if (parent !== undefined) resolved.parent = parent && resolveParent(parent, resolving)
  if (components !== undefined) resolved.components = resolveComponents(components, resolving)
  if (links !== undefined)
    resolved.links = Object.fromEntries(
      linkKinds
        .filter((kind) => links[kind] !== undefined)
        .map((kind) => [kind, resolveList(links[kind] ?? [], `/links/${kind}`, resolving)]),
    )
  return { resolved, faults: resolving.faults }
}

function resolve(
  named: ReferenceInput,
  pointer: string,
  { find, isStrict, ownSkus, faults }: Resolving,
): Reference {
  const found = find(named)
  const { id, sku } = named
  if (ownSkus.includes(found?.sku ?? sku ?? ''))
    faults.push({ pointer, code: 'self_reference', message: 'is the product itself; name another one' })
  if (found !== undefined) return referenceTo(found)
  if (id != null)
    faults.push({
      pointer: `${pointer}/id`,
      code: 'unknown_product',
      message: `there is no product ${id} in this project`,
    })
  else if (sku === undefined)
    faults.push({ pointer, code: 'required', message: 'must name a product by its id or sku' })
  else if (isStrict)
    faults.push({
      pointer: `${pointer}/sku`,
      code: 'unknown_sku',
      message: `there is no product with the SKU "${sku}"; write that one first, or leave out references=strict`,
    })
  return { id: null, sku: sku ?? '' }
}

function resolveParent(named: ReferenceInput, resolving: Resolving): Reference {
  const type = resolving.find(named)?.product_type
  if (type !== undefined && type !== 'configurable')
    resolving.faults.push({
      pointer: '/parent',
      code: 'wrong_type',
      message: `is ${type}; only a configurable product has variants`,
    })
  return resolve(named, '/parent', resolving)
}

/** In their order, each once. */
function resolveList(list: ReferenceInput[], pointer: string, resolving: Resolving): Reference[] {
  const references = list.map((named, index) => resolve(named, `${pointer}/${index}`, resolving))
  return [...new Map(references.map((reference) => [referenceKey(reference), reference])).values()]
}

function resolveComponents(list: ComponentInput[], resolving: Resolving): Component[] {
  const met = new Set<string>()
  const defaults = new Set<string>()
  return list.map((named, index) => {
    const pointer = `/components/${index}`
    const fault = (code: string, message: string, at = pointer) =>
      resolving.faults.push({ pointer: at, code, message })
    const { quantity = 1, choice, default: isDefault = false } = named
    const reference = resolve(named, pointer, resolving)
    const type = resolving.find(named)?.product_type
    if (type !== undefined && !componentTypes.includes(type))
      fault('wrong_type', `is ${type}; a component is ${componentTypes.join(' or ')}`)
    const key = JSON.stringify([choice, referenceKey(reference)])
    if (met.has(key)) fault('duplicate', 'stands there before; raise its quantity instead')
    met.add(key)
    if (isDefault && choice === undefined)
      fault('invalid_default', 'needs a choice to be the default of', `${pointer}/default`)
    if (isDefault && choice !== undefined && defaults.has(choice))
      fault('invalid_default', `is the second default of "${choice}"; a choice has one`, `${pointer}/default`)
    if (isDefault && choice !== undefined) defaults.add(choice)
    return {
      ...reference,
      quantity,
      ...(choice !== undefined && { choice }),
      ...(isDefault && { default: true }),
    }
  })
}
