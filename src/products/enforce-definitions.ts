import { Problem } from '../http/problems.ts'
import type { Ruleset } from '../quality/ruleset.ts'
import type { Content } from './product-content.ts'
import type { ProductPatch } from './product-input.schema.ts'

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
