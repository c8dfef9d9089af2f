import { viewKey } from '../fields/view-paths.ts'
import { isStale, missingFields, pathsIn, statusIn, type ViewedContent } from './resolve-view.ts'
import type { View, Views } from './views.ts'

/*
 * What filters find: `missing:de` and `missing:de.name` (a required field has no value), `stale:de` (a text of the view is stale),
 * `differs:at` (the view has values of its own), `status:at.pending` (the status in the view, if it differs from that of the base).
 */

export const viewMarks = {
  missing: (code: string, field?: string) =>
    field === undefined ? `missing:${code}` : `missing:${code}.${field}`,
  stale: (code: string) => `stale:${code}`,
  differs: (code: string) => `differs:${code}`,
  status: (code: string, status: string) => `status:${code}.${status}`,
}

/** Sorted, so that equal marks are equal arrays. Empty without views. */
export function marksOf(content: ViewedContent, views: Views | undefined): string[] {
  if (views === undefined) return []
  const marks = [...views.byCode.values()].flatMap((view) => marksIn(content, view, views))
  return marks.toSorted()
}

function marksIn(content: ViewedContent, view: View, views: Views): string[] {
  const { code } = view
  const missing = missingFields(content, view, views)
  const marks = missing.map((field) => viewMarks.missing(code, field))
  if (missing.length > 0) marks.push(viewMarks.missing(code))
  const status = statusIn(content, view)
  if (status !== content.status) marks.push(viewMarks.status(code, status))
  const paths = [...pathsIn(content[viewKey(code)])]
  if (paths.length > 0) marks.push(viewMarks.differs(code))
  if (paths.some((path) => isStale(content, view, views, path))) marks.push(viewMarks.stale(code))
  return marks
}
