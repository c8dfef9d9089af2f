import type { AttributeChecks } from '../attributes/check-attributes.ts'
import { fieldsOfKind } from '../fields/product-fields.ts'
import { addedRules, withAttributeErrors } from './definitions-rule.ts'
import type { QualityRule, TextField } from './quality-rule.schema.ts'
import type { Rule } from './quality-rule.ts'
import { kinds, type ReadText } from './rule-kinds.ts'
import { hasMarkup, visibleText } from './visible-text.ts'

export function compileRules(rules: readonly QualityRule[], checks: AttributeChecks | undefined): Rule[] {
  const readText = textReaders()
  return [...rules, ...addedRules(rules, checks !== undefined)].map((rule) => {
    const { code, kind, points } = rule
    const { field, defaultMessage, compile } = kinds[kind]
    const message = rule.message ?? defaultMessage(rule)
    return {
      code,
      field: field ?? (rule.field as TextField),
      points,
      passes: whereItApplies(rule, compile(rule, readText, checks)),
      message: kind === 'attribute_definitions' && checks ? withAttributeErrors(message, checks) : message,
    }
  })
}

/** Products that a rule does not apply to pass. */
function whereItApplies(
  { product_types = [], categories = [] }: QualityRule,
  passes: Rule['passes'],
): Rule['passes'] {
  if (product_types.length === 0 && categories.length === 0) return passes
  const ids = new Set(categories)
  return (product) =>
    (product_types.length > 0 && !product_types.includes(product.product_type)) ||
    (ids.size > 0 && !product.categories.some(({ id }) => ids.has(id))) ||
    passes(product)
}

/** Reads texts without markup. Several rules check the same text, so the last text of each field is cached. */
function textReaders(): ReadText {
  const texts = fieldsOfKind('text').map((field): [TextField, ReadText[TextField]] => {
    const read = lastText()
    return [field, (product, wanted) => read(product[field], wanted)]
  })
  // A code has no markup.
  const codes = fieldsOfKind('code').map((field): [TextField, ReadText[TextField]] => [
    field,
    (product) => product[field],
  ])
  return Object.fromEntries([...texts, ...codes]) as ReadText
}

function lastText(): (markup: string, wanted: number) => string {
  let last = { markup: '', wanted: 0, shown: '' }
  return (markup, wanted) => {
    if (!hasMarkup(markup)) return markup.trim()
    if (last.markup !== markup || last.wanted < wanted)
      last = { markup, wanted, shown: visibleText(markup, wanted) }
    return last.shown
  }
}
