import {
  formatVersion,
  parseVersion,
  type VersionNumber,
  versionRule,
} from '../../model/prompts/version-number.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { type Fault, Problem } from '../../platform/http/problems.ts'
import { listNumbersBelow } from '../prompts/prompt-version.sql.ts'
import type { Filters, WrittenBy } from './product-filters.ts'
import type { ProductQuery } from './product-list.schema.ts'

/** The filters of a query with the prompt and its versions as the keys that the index knows. */
export async function resolveWrittenBy(
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
    throw refusal({ parameter, code: 'invalid_value', message: `must be ${versionRule}` })
  if (query.written_by_prompt === undefined) {
    const message = 'needs written_by_prompt beside it: the id of the prompt whose version it is'
    throw refusal({ parameter, code: 'required', message })
  }
  return version
}

function refusal(fault: Fault): Problem {
  return new Problem('invalid_parameters', { errors: [fault] })
}
