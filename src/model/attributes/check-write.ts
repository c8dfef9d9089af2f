import { escapePointer } from '../../platform/http/body/json-scan.ts'
import type { AttributeValue } from '../fields/attributes.schema.ts'
import type { AttributeChecks, AttributeErrors } from './check-attributes.ts'

type Checked = Parameters<AttributeChecks['checkWrite']>[1]
type Attributes = Readonly<Record<string, unknown>>
/** The attributes that a write names, in the base and in views. */
type Written = {
  attributes?: Attributes | undefined
  views?: Readonly<Record<string, { attributes?: Attributes | null } | null>> | undefined
}

/** Checks a write against the attribute definitions, which apply in views too. Only the base needs required attributes. */
export function checkWrite(
  checks: AttributeChecks | undefined,
  before: Checked | undefined,
  after: Checked,
  { attributes, views = {} }: Written,
): AttributeErrors | undefined {
  if (checks === undefined) return undefined
  const found = checks.checkWrite(before, after, attributes)
  for (const [code, values] of Object.entries(views)) {
    const given = Object.entries(values?.attributes ?? {}).filter(
      ([, value]) => value !== null && value !== '',
    )
    const own = Object.fromEntries(given) as Record<string, AttributeValue>
    const inView = checks.checkWrite(undefined, { ...after, status: 'pending', attributes: own }, own)
    const located = (errors: AttributeErrors['errors']) =>
      errors.map((error) => ({ ...error, pointer: `/views/${escapePointer(code)}${error.pointer}` }))
    found.errors.push(...located(inView.errors))
    found.warnings.push(...located(inView.warnings))
  }
  return found
}
