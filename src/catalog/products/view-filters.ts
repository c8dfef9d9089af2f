import { viewMarks } from '../../model/views/view-marks.ts'
import type { View, Views } from '../../model/views/views.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import { findMarking } from '../rulesets/marking.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import type { ProductQuery } from './product-list.schema.ts'

/** The filters that use marks. */
export type ByView = Pick<ProductQuery, 'missing_in' | 'stale_in' | 'differs_in'>

type NamedViews = { [Name in keyof ByView]: string | undefined }

/** What the marks of products have to contain, and the status that they have to have in a view. */
export type MarkFilters = { marks?: string[]; status_in_view?: { code: string; statuses: string[] } }

/** Replaces filters by view with the marks that the service has computed. Rejects them until it has computed all. */
export async function resolveViewFilters<Query extends ProductQuery>(
  database: Queryable,
  rulesets: Rulesets,
  caller: Parameters<Rulesets['of']>[0],
  query: Query,
): Promise<Omit<Query, keyof ByView> & MarkFilters> {
  const { missing_in, stale_in, differs_in, ...others } = query
  const { view, status, status__in, ...rest } = others
  const hasStatus = view !== undefined && (status !== undefined || status__in !== undefined)
  if (!hasStatus && missing_in === undefined && stale_in === undefined && differs_in === undefined)
    return others
  const { views } = await rulesets.of(caller)
  rejectErrors(viewErrors({ missing_in, stale_in, differs_in }, views))
  await requireMarks(database, caller.project_id)
  const marks = [
    missing_in === undefined ? [] : viewMarks.missing(...readMissing(missing_in)),
    stale_in === undefined ? [] : viewMarks.stale(stale_in),
    differs_in === undefined ? [] : viewMarks.differs(differs_in),
  ].flat()
  const marked = marks.length > 0 && { marks }
  if (!hasStatus) return { ...others, ...marked }
  const statuses = [status ?? status__in ?? []].flat().filter((one) => status__in?.includes(one) !== false)
  return { ...rest, view, ...marked, status_in_view: { code: view, statuses } } as unknown as Omit<
    Query,
    keyof ByView
  >
}

/** A definition can have changed marks that the service has not computed yet. */
export async function requireMarks(database: Queryable, projectId: number): Promise<void> {
  const marked = await findMarking(database, projectId)
  if (marked === undefined) return
  const detail = `The service checks the products against the changed views: ${marked.done} of ${marked.total} are done. Try again later.`
  throw new Problem('view_marking', { detail, marked })
}

function readMissing(filter: string): [code: string, field?: string] {
  const dot = filter.indexOf('.')
  return dot < 0 ? [filter] : [filter.slice(0, dot), filter.slice(dot + 1)]
}

function viewErrors({ missing_in, ...others }: NamedViews, views: Views | undefined): InputError[] {
  const [code, field] = missing_in === undefined ? [] : readMissing(missing_in)
  const codes = Object.entries({ missing_in: code, ...others })
  const unknown = codes.flatMap(([parameter, named]) =>
    named === undefined || views?.byCode.has(named) === true ? [] : unknownView(parameter, named, views),
  )
  const view = views?.byCode.get(code ?? '')
  return field === undefined || view === undefined ? unknown : [...unknown, ...notRequired(field, view)]
}

function unknownView(parameter: string, code: string, views: Views | undefined): InputError {
  const message = `is not a view of this project${suggestNames(code, [...(views?.byCode.keys() ?? [])])}`
  return { parameter, code: 'unknown_view', message }
}

function notRequired(field: string, { code, requires }: View): InputError[] {
  if (requires.includes(field)) return []
  const message = `names a field that the view ${code} does not require${suggestNames(field, requires)}`
  return [{ parameter: 'missing_in', code: 'not_required', message }]
}

function rejectErrors(errors: InputError[]): void {
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors })
}
