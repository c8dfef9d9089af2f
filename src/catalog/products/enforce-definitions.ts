import type { Content } from '../../model/product/product-content.ts'
import type { ProductPatch } from '../../model/product/product-input.schema.ts'
import type { Ruleset } from '../../model/quality/ruleset.ts'
import { Problem } from '../../platform/http/problems.ts'

/** Refuses a write that breaks definitions of attributes which are enforced. `touched` has the names that the write speaks of. */
export function enforceDefinitions(
  { attributeChecks }: Ruleset,
  before: Content | undefined,
  after: Content,
  touched: ProductPatch['attributes'],
): void {
  if (attributeChecks === undefined) return
  const { errors } = attributeChecks.ofWrite(before, after, touched)
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}
