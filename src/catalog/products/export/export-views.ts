import type { Views } from '../../../model/views/views.ts'
import { Problem } from '../../../platform/http/problems.ts'
import { suggestNames } from '../../../platform/http/request/suggest-names.ts'

/** The views whose values a file contains, and all views of the project, because they decide what a column means. */
export type ExportedViews = { chosen: readonly string[]; known: readonly string[] }

export const noViews: ExportedViews = { chosen: [], known: [] }

/** Reads `de,at` or `all`. */
export function chooseViews(views: Views | undefined, text: string | undefined): ExportedViews {
  const known = [...(views?.byCode.keys() ?? [])]
  if (text === undefined) return { chosen: [], known }
  if (text === 'all') return { chosen: known, known }
  const chosen = [...new Set(text.split(',').map((code) => code.trim()))]
  const errors = chosen
    .filter((code) => !known.includes(code))
    .map((code) => ({
      parameter: 'views',
      code: 'unknown_view',
      message: `has ${JSON.stringify(code.slice(0, 100))}, which is not a view of this project${suggestNames(code, known)}`,
    }))
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors: errors.slice(0, 10) })
  return { chosen, known }
}
