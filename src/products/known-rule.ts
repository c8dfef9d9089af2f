import { Problem } from '../http/problems.ts'
import { nearest } from '../http/request/nearest.ts'
import type { Caller } from '../tokens/caller.ts'
import type { ProductQuery } from './product-list.schema.ts'
import type { Rulesets } from './rulesets.ts'

/** Which rules there are depends on the project, so that the schema of the parameter cannot tell. */
export async function requireKnownRule(
  { quality_rule: code }: ProductQuery,
  caller: Caller,
  rulesets: Rulesets,
): Promise<void> {
  if (code === undefined) return
  const { rules } = await rulesets.of(caller)
  const codes = rules.map((rule) => rule.code)
  if (codes.includes(code)) return
  const message = `is no rule of this project${nearest(code, codes)}`
  throw new Problem('invalid_parameters', {
    errors: [{ parameter: 'quality_rule', code: 'invalid_value', message }],
  })
}
