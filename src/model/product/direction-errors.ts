import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { directionControls, plainName } from '../../platform/http/request/name.schema.ts'
import { fieldsOfKind, textsOfSize } from '../fields/product-fields.ts'
import type { Reference } from '../structure/structure.schema.ts'
import type { Content } from './product-content.ts'

type Label = { pointer: string; text: string }

/**
 * Rejects new names, SKUs and URLs with bidirectional control characters. Values that the product already has remain valid, so it can
 * be sent back and changed in other fields.
 */
export function findDirectionErrors(
  before: Partial<Content> | undefined,
  after: Partial<Content>,
): BodyError[] {
  const turning = labelsOf(after).filter(({ text }) => directionControls.test(text))
  if (turning.length === 0) return []
  const held = new Set(before === undefined ? [] : labelsOf(before).map(({ text }) => text))
  return turning
    .filter(({ text }) => !held.has(text))
    .map(({ pointer }) => ({ pointer, code: 'invalid_format', message: `must be ${plainName.description}` }))
}

const lineFields = [...fieldsOfKind('code'), ...textsOfSize('line')]

function labelsOf(content: Partial<Content>): Label[] {
  const { attributes = {}, media = [], variant_axes = [], parent, components = [] } = content
  const labels: Label[] = []
  const add = (pointer: string, text: string | undefined) => {
    if (text !== undefined) labels.push({ pointer, text })
  }
  for (const field of lineFields) add(`/${field}`, content[field])
  for (const key of Object.keys(attributes)) add(`/attributes/${escapePointer(key)}`, key)
  for (const [index, { url }] of media.entries()) add(`/media/${index}/url`, url)
  for (const [index, axis] of variant_axes.entries()) add(`/variant_axes/${index}`, axis)
  if (parent != null) add('/parent/sku', unboundSku(parent))
  for (const [index, component] of components.entries()) {
    add(`/components/${index}/sku`, unboundSku(component))
    add(`/components/${index}/choice`, component.choice)
  }
  for (const [kind, list] of Object.entries(content.links ?? {}))
    for (const [index, link] of list.entries()) add(`/links/${kind}/${index}/sku`, unboundSku(link))
  return labels
}

/** The SKU of an existing product can be older than the rule. */
function unboundSku({ id, sku }: Reference): string | undefined {
  return id === null ? sku : undefined
}
