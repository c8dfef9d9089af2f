import { fieldLabel } from '../../../src/model/fields/field-paths.ts'
import { marketLabel } from '../../markets/labels.ts'
import type { Market } from '../../wire.ts'
import { strings } from '../strings.ts'

/** The label of a filter for a language or market; undefined for another filter. */
export function marketFilterLabel(
  name: string,
  value: string,
  markets: readonly Market[],
): string | undefined {
  const [code = ''] = value.split('.', 1)
  const label = marketLabel(code, markets)
  if (name === 'stale_in') return strings.filter.outdatedIn(label)
  if (name === 'differs_in') return strings.filter.differsIn(label)
  if (name !== 'missing_in') return undefined
  const field = value.slice(code.length + 1)
  return field === ''
    ? strings.filter.missingIn(label)
    : strings.filter.missingFieldIn(fieldLabel(field), label)
}
