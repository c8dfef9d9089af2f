import { viewKey } from '../../model/fields/view-paths.ts'
import type { Content } from '../../model/product/product-content.ts'
import { isTextOf, nameOf, pathsIn, sourceFingerprint } from '../../model/views/resolve-view.ts'
import type { ChosenView } from '../../model/views/views.ts'
import { Problem } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'

/** Texts of a view that are still right. */
export type ConfirmedTexts = ChosenView & { fields: readonly string[] }

export function confirmedBy(
  chosen: ChosenView | undefined,
  fields: readonly string[] | undefined,
): ConfirmedTexts | undefined {
  if (fields === undefined) return undefined
  if (chosen === undefined) throw invalidConfirm('requires the parameter view')
  return { ...chosen, fields }
}

/** Renews the fingerprints of the texts, in place. */
export function confirmTexts(content: Content, { view, views, fields }: ConfirmedTexts): void {
  const key = viewKey(view.code)
  const values = content[key]
  const texts = [...pathsIn(values)].filter((path) => isTextOf(values, path)).map(nameOf)
  const unknown = fields.find((field) => !texts.includes(field))
  if (unknown !== undefined || values == null)
    throw invalidConfirm(
      `names "${unknown}", but the product has no such text in the view ${view.code}${suggestNames(unknown ?? '', texts)}`,
    )
  const renewed = fields.map((field) => [field, sourceFingerprint(content, view, views, field)])
  content[key] = { ...values, sources: { ...values.sources, ...Object.fromEntries(renewed) } }
}

function invalidConfirm(message: string): Problem {
  return new Problem('invalid_parameters', {
    errors: [{ parameter: 'confirm', code: 'invalid_choice', message }],
  })
}
