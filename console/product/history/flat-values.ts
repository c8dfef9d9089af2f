import { flattenGroup } from '../../../src/model/fields/field-paths.ts'
import { isSourcePath, readViewPath } from '../../../src/model/fields/view-paths.ts'

/** Values by field, one by one within groups, languages and markets. */
export function flatValues(values: object): Map<string, unknown> {
  return new Map([...allValues(values)].filter(([field]) => !isSourcePath(field)))
}

function allValues(values: object): Map<string, unknown> {
  return new Map(
    Object.entries(values).flatMap(([field, value]) => flattenGroup(field, value) ?? [[field, value]]),
  )
}

/** Texts of languages and markets that a user confirmed after their source had changed. */
export function confirmedFields(before: object, after: object): string[] {
  const [old, recent] = [allValues(before), allValues(after)]
  return [...recent].flatMap(([field, source]) => {
    const path = isSourcePath(field) ? readViewPath(field) : undefined
    if (path === undefined || source === old.get(field)) return []
    const text = `views.${path.code}.${path.key}`
    return old.has(text) && old.get(text) === recent.get(text) ? [text] : []
  })
}
