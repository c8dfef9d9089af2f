import type { AttributeChecks } from '../attributes/check-attributes.ts'
import type { QualityRule } from './quality-rule.schema.ts'
import type { Rule } from './quality-rule.ts'

/** The rule for all attribute definitions, added if the project's own rules do not contain it. */
const definitionsRule: QualityRule = {
  code: 'attribute_definitions',
  kind: 'attribute_definitions',
  points: 10,
}
const mostTold = 5
const longestMessage = 1_000

/** Rules that count in addition to the listed ones, if the project checks attributes. */
export function addedRules(rules: readonly QualityRule[], areAttributesChecked: boolean): QualityRule[] {
  const isNamed = ({ kind }: QualityRule) => kind === definitionsRule.kind
  return !areAttributesChecked || rules.some(isNamed) ? [] : [definitionsRule]
}

/** Appends the attribute errors of the product to the message. */
export function tellFaults(message: string, checks: AttributeChecks): Rule['message'] {
  return (product) => {
    const faults = checks.ofProduct(product)
    const told = faults
      .slice(0, mostTold)
      .map(({ pointer, message }) => `${pointer.slice('/attributes/'.length)} ${message}`)
    const others = faults.length > mostTold ? `; and ${faults.length - mostTold} more` : ''
    return `${message} ${told.join('; ')}${others}.`.slice(0, longestMessage).toWellFormed()
  }
}
