import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { BodyError } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import { isSameValue } from '../fields/same-value.ts'
import { viewKey } from '../fields/view-paths.ts'
import { isTextOf, nameOf, pathsIn, sourceFingerprint, type ViewedContent } from './resolve-view.ts'
import type { ViewContent, ViewsPatch, ViewValues } from './view-values.ts'
import type { Views } from './views.ts'

/** Errors for views that the project does not have. */
export function findUnknownViews(patch: ViewsPatch | undefined, views: Views | undefined): BodyError[] {
  if (patch === undefined) return []
  const known = [...(views?.byCode.keys() ?? [])]
  return Object.keys(patch)
    .filter((code) => !known.includes(code))
    .map((code) => ({
      pointer: `/views/${escapePointer(code)}`,
      code: 'unknown_view',
      message: `is not a view of this project; define it first with PUT /views/{code}${suggestNames(code, known)}`,
    }))
}

/**
 * Sets the fingerprint of each text that a write changed, in place. A patch can bring its own, as a revert does. With `renews`, the
 * write also confirms the texts that it repeats.
 */
export function stampSources(
  before: ViewContent | undefined,
  content: ViewedContent,
  patch: ViewsPatch | undefined,
  views: Views | undefined,
  { renews = false } = {},
): void {
  for (const [code, given] of Object.entries(patch ?? {})) {
    const view = views?.byCode.get(code)
    const values = content[viewKey(code)]
    if (view === undefined || values == null) continue
    const held = before?.[viewKey(code)] ?? {}
    const sources = [...pathsIn(values)]
      .filter((path) => isTextOf(values, path))
      .map((path): [string, string] => {
        const name = nameOf(path)
        const own = given?.sources?.[name]
        const isConfirmed = renews && textIn(given, path) !== undefined
        const kept = !isConfirmed && isSameText(held, values, path) ? held.sources?.[name] : undefined
        return [name, own ?? kept ?? sourceFingerprint(content, view, views as Views, name)]
      })
    const { sources: _sources, ...own } = values
    content[viewKey(code)] =
      sources.length === 0 ? own : ({ ...own, sources: Object.fromEntries(sources) } as ViewValues)
  }
}

type Path = { field: string; key?: string | undefined }

function isSameText(held: ViewValues, values: ViewValues, path: Path): boolean {
  return isSameValue(path.field, textIn(held, path), textIn(values, path))
}

function textIn(side: object | null | undefined, { field, key }: Path): unknown {
  const value = (side as Record<string, unknown> | null | undefined)?.[field]
  return key === undefined ? value : (value as Record<string, unknown> | null | undefined)?.[key]
}
