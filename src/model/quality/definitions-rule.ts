import type { AttributeChecks } from '../attributes/check-attributes.ts'
import { qualityLimits } from '../limits/quality.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import type { Rule } from './quality-rule.ts'

/** The rule for all attribute definitions, added if the project's own rules do not contain it. */
const definitionsRule: QualityRule = {
  code: 'attribute_definitions',
  kind: 'attribute_definitions',
  points: 10,
}

/** Rules that count in addition to the listed ones, if the project checks attributes. */
export function addedRules(rules: readonly QualityRule[], areAttributesChecked: boolean): QualityRule[] {
  const isNamed = ({ kind }: QualityRule) => kind === definitionsRule.kind
  return !areAttributesChecked || rules.some(isNamed) ? [] : [definitionsRule]
}

/** Appends the attribute errors of the product to the message. */
export function withAttributeErrors(message: string, checks: AttributeChecks): Rule['message'] {
  return (product) => {
    const errors = checks.checkProduct(product)
    const listed = errors
      .slice(0, qualityLimits.listedErrors)
      .map(({ pointer, message }) => `${pointer.slice('/attributes/'.length)} ${message}`)
    const others =
      errors.length > qualityLimits.listedErrors
        ? `; and ${errors.length - qualityLimits.listedErrors} more`
        : ''
    return `${message} ${listed.join('; ')}${others}.`.slice(0, qualityLimits.listedCharacters).toWellFormed()
  }
}
