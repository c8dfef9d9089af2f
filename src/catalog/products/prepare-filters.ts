import {
  formatVersion,
  parseVersion,
  type VersionNumber,
  versionRule,
} from '../../model/prompts/version-number.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type InputError, Problem } from '../../platform/http/problems.ts'
import type { KeyedFilter } from '../../platform/http/query/keyed-parameters.ts'
import { suggestNames } from '../../platform/http/request/suggest-names.ts'
import { findCategoryByPath } from '../categories/find-by-path.ts'
import { listNumbersBelow } from '../prompts/prompt-version.sql.ts'
import type { Rulesets } from '../rulesets/rulesets.ts'
import { hasComputedStock } from '../structure/structure.sql.ts'
import type { ByPath, Filters, WrittenBy } from './product-filters.ts'
import type { ProductQuery } from './product-list.schema.ts'
import { searchErrors } from './search-errors.ts'
import { resolveViewFilters } from './view-filters.ts'

type Caller = Parameters<Rulesets['of']>[0]
type Bound = KeyedFilter & { operator: 'gte' | 'lte' }

/** Resolves the filters of a query for the project, and rejects those that contradict its rules and definitions. */
export async function prepareFilters(
  database: Queryable,
  rulesets: Rulesets,
  caller: Caller,
  query: ProductQuery,
): Promise<Filters> {
  await checkFilters(query, rulesets, caller)
  const marked = await resolveViewFilters(database, rulesets, caller, withoutDefaults(query))
  const named = await resolvePaths(database, caller.project_id, marked)
  const { in_stock, ...others } = await resolveWrittenBy(database, caller.project_id, named)
  if (in_stock === undefined) return others
  const isComputed = await hasComputedStock(database, caller.project_id)
  return { ...others, ...(isComputed ? { in_stock__computed: in_stock } : { in_stock }) }
}

/** Without a match that is the default, so that the search shares statements with those that do not name it. */
function withoutDefaults({ match, ...query }: ProductQuery): ProductQuery {
  return match === 'close' ? { ...query, match } : query
}

/** The ID of no category. */
const noCategory = 0

/** Replaces paths by category IDs. A path that does not exist matches nothing, like an unknown ID. */
async function resolvePaths(
  database: Queryable,
  projectId: number,
  { category_path, category_path__under, ...query }: ProductQuery,
): Promise<Omit<ProductQuery, keyof ByPath>> {
  const idOf = async (path: string, given: number | undefined) => {
    const id = (await findCategoryByPath(database, projectId, path)) ?? noCategory
    return given === undefined || given === id ? id : noCategory
  }
  const { category, category__under } = query
  return {
    ...query,
    ...(category_path !== undefined && { category: await idOf(category_path, category) }),
    ...(category_path__under !== undefined && {
      category__under: await idOf(category_path__under, category__under),
    }),
  }
}

async function checkFilters(query: ProductQuery, rulesets: Rulesets, caller: Caller): Promise<void> {
  const wrong = searchErrors(query)
  if (wrong.length > 0) throw new Problem('invalid_parameters', { errors: wrong })
  const { quality_rule, attributes = [] } = query
  const bounds = attributes.filter((filter): filter is Bound => /^[gl]te$/.test(filter.operator))
  if (quality_rule === undefined && bounds.length === 0) return
  const ruleset = await rulesets.of(caller)
  const found = [ruleError(quality_rule, ruleset), ...bounds.map((bound) => boundError(bound, ruleset))]
  const errors = found.filter((error) => error !== undefined)
  if (errors.length > 0) throw new Problem('invalid_parameters', { errors })
}

function ruleError(code: string | undefined, { rules }: Ruleset): InputError | undefined {
  const codes = rules.map((rule) => rule.code)
  if (code === undefined || codes.includes(code)) return undefined
  const message = `is not a rule of this project${suggestNames(code, codes)}`
  return { parameter: 'quality_rule', code: 'invalid_value', message }
}

/** Rejects a date as a bound for an attribute that is not defined as a date, and a number for one that is. */
function boundError({ key, operator, value }: Bound, { definitions }: Ruleset): InputError | undefined {
  const isDefined = definitions.some(({ name, type }) => name === key && type === 'date')
  if (isDefined === (typeof value === 'string')) return undefined
  const parameter = `${/^[A-Za-z]\w*$/.test(key) && !key.includes('__') ? `attributes__${key}` : `attributes[${key}]`}__${operator}`
  const message = isDefined
    ? `must be a date such as 2026-01-31, because the project defines ${key} as a date`
    : `is a date, but ${key} is not defined as a date; define it first with PUT /attributes`
  return { parameter, code: 'invalid_value', message }
}

/** Replaces the prompt and version filters by the keys of the provenance index. */
async function resolveWrittenBy(
  database: Queryable,
  projectId: number,
  query: ProductQuery,
): Promise<Filters> {
  const { written_by_prompt, written_by_version: _exact, written_by_version__lt: _below, ...others } = query
  const version = readVersion('written_by_version', query)
  const below = readVersion('written_by_version__lt', query)
  if (written_by_prompt === undefined) return others
  const prompt = String(written_by_prompt)
  if (below === undefined)
    return { ...others, written_by: [version === undefined ? prompt : `${prompt}/${formatVersion(version)}`] }
  const lower = await listNumbersBelow(database, projectId, written_by_prompt, below)
  const meant = lower.filter((number) => version === undefined || number === formatVersion(version))
  return { ...others, written_by: meant.map((number) => `${prompt}/${number}`) }
}

function readVersion(parameter: keyof WrittenBy, query: WrittenBy): VersionNumber | undefined {
  const text = query[parameter]
  if (text === undefined) return undefined
  const version = parseVersion(String(text))
  if (version === undefined)
    throw invalidParameter({ parameter, code: 'invalid_value', message: `must be ${versionRule}` })
  if (query.written_by_prompt === undefined) {
    const message = 'requires written_by_prompt, the ID of the prompt'
    throw invalidParameter({ parameter, code: 'required', message })
  }
  return version
}

function invalidParameter(error: InputError): Problem {
  return new Problem('invalid_parameters', { errors: [error] })
}
