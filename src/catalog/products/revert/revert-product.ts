import { changedFields } from '../../../model/fields/changed-fields.ts'
import { isNamed, unknownFields } from '../../../model/fields/field-names.ts'
import { nestFields } from '../../../model/fields/field-paths.ts'
import { viewKey } from '../../../model/fields/view-paths.ts'
import { type Content, defaultContent } from '../../../model/product/product-content.ts'
import type { ProductPatch } from '../../../model/product/product-input.schema.ts'
import type { ProductRow } from '../../../model/product/product-row.ts'
import { findFormerAmounts } from '../../../model/views/view-amounts.ts'
import { type ViewContent, viewsIn } from '../../../model/views/view-values.ts'
import type { Writable } from '../../../platform/database/database.ts'
import { type BodyError, notFound, Problem } from '../../../platform/http/problems.ts'
import { findContentAt, type PastContent } from '../../past-contents/past-content.sql.ts'
import { rejectErrors } from '../../structure/reject-conflicts.ts'
import type { Products } from '../open-products.ts'
import type { Target } from '../plan-change.ts'
import type { Revert } from './revert.schema.ts'

/** Reverts fields of a product to a version, by the same rules as any other change. */
export async function revertProduct(
  database: Writable,
  products: Products,
  target: Target,
  { version, fields }: Revert,
): Promise<ProductRow> {
  const { projectId, id } = target
  rejectErrors(unknownFields(fields ?? [], '/fields'))
  const past = await findContentAt(database, projectId, id, { version })
  if (past === undefined) throw notFound('product', id)
  if (past.version !== version) rejectErrors([unknownVersion(id, version, past)])
  // A field that did not exist yet had its default.
  const content = { ...defaultContent, ...past.content }
  const wanted = fields && new Set(fields)
  const buildPatch = (before: Content) => patchToward({ ...withoutViews(before), ...content }, before, wanted)
  const checkPatch = ({ views }: ProductPatch) => {
    const [path] = findFormerAmounts(views, target.ruleset.views, past.updated_at)
    if (path !== undefined) throw formerCurrency(path, version)
  }
  const restoration = { buildPatch, checkPatch, entries: past.provenance }
  try {
    return await products.restore(target, restoration, database)
  } catch (error) {
    throw error instanceof Problem ? pointToVersion(error, version, fields) : error
  }
}

/** The views of a product without values, for a version that may not have them. */
function withoutViews(before: Content): ViewContent {
  return Object.fromEntries([...viewsIn(before)].map(([code]) => [viewKey(code), null]))
}

/** The patch from one content to another. Equal fields are left out, so that they are not resolved or checked again. */
function patchToward(past: Content, before: Content, wanted: ReadonlySet<string> | undefined): ProductPatch {
  const changes = [...changedFields({ before, after: past })]
    .filter(([field]) => wanted === undefined || isNamed(field, wanted))
    .map(([field, { after }]): [string, unknown] => [field, after])
  return nestFields(changes)
}

function formerCurrency(path: string, version: number): Problem {
  return new Problem('view_currency_changed', {
    detail: `${path} of version ${version} is in a former currency of the view. Revert other fields, or set the price.`,
  })
}

function unknownVersion(id: number, version: number, { version: latest }: PastContent): BodyError {
  const message = `product ${id} has no version ${version}; its latest is ${latest}`
  return { pointer: '/version', code: 'unknown_version', message }
}

/** The errors are about values that are not in the body, so they point to the version or the fields and name the field in the message. */
function pointToVersion(problem: Problem, version: number, fields: Revert['fields']): Problem {
  const { errors } = problem.extras
  if (problem.problemCode !== 'invalid_body' || errors === undefined) return problem
  const pointer = fields === undefined ? '/version' : '/fields'
  return new Problem('invalid_body', {
    errors: errors.map((error) => {
      const place = 'pointer' in error ? error.pointer.slice(1) : ''
      const message = `${place} cannot be reverted to version ${version}: ${error.message}`
      return { pointer, code: error.code, message }
    }),
  })
}
