import type { AttributeDefinition } from '../../model/attributes/attribute-definition.schema.ts'
import { compileChecks } from '../../model/attributes/check-attributes.ts'
import { findDefinitionErrors } from '../../model/attributes/definition-errors.ts'
import { attributeLimits } from '../../model/limits/attributes.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { Problem } from '../../platform/http/problems.ts'
import { mapInTurns } from '../../platform/scheduling/map-in-turns.ts'
import { countProducts, spreadIds } from '../quality/preview.sql.ts'
import type { AttributePreview } from './attribute-preview.schema.ts'
import { findHeldValues, type HeldValue } from './attribute-preview.sql.ts'

/** A value can have hundreds of kilobytes. */
const productsAtOnce = 50

/** Finds the products that break a definition, regardless of its mode. */
export async function previewDefinition(
  database: Queryable,
  projectId: number,
  definition: AttributeDefinition,
): Promise<AttributePreview> {
  const errors = findDefinitionErrors(definition)
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
  const products = await countProducts(database, projectId)
  const ids = await spreadIds(database, projectId, { wanted: attributeLimits.previewedProducts, products })
  const preview: AttributePreview = { products, looked_at: 0, with_value: 0, offending: 0, offenders: [] }
  const errorOf = errorFinder(definition)
  for (let start = 0; start < ids.length; start += productsAtOnce) {
    const part = ids.slice(start, start + productsAtOnce)
    const rows = await findHeldValues(database, projectId, part, definition.name)
    const check = (row: HeldValue) => {
      preview.looked_at += 1
      if (row.value !== null) preview.with_value += 1
      const error = errorOf(row)
      if (error === undefined) return
      preview.offending += 1
      const { id, sku, name } = row
      const { code, message } = error
      if (preview.offenders.length < attributeLimits.previewedOffenders)
        preview.offenders.push({ id, sku, name, code, message })
    }
    await mapInTurns(rows, check, { rests: true })
  }
  return preview
}

function errorFinder(definition: AttributeDefinition) {
  const checks = compileChecks([{ ...definition, mode: 'warn' }])
  return ({ status, product_type, category_ids, value }: HeldValue) => {
    const attributes = value === null ? {} : { [definition.name]: value }
    const categories = category_ids.map((id) => ({ id }))
    return checks?.checkProduct({ status, product_type, categories, attributes })[0]
  }
}
