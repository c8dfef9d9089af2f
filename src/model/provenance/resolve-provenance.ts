import type { BodyError } from '../../platform/http/problems.ts'
import { changedFields } from '../fields/changed-fields.ts'
import { isNamed, unknownFields } from '../fields/field-names.ts'
import { splitField } from '../fields/field-paths.ts'
import { fieldNames, productFields } from '../fields/product-fields.ts'
import { isSourcePath, readViewPath } from '../fields/view-paths.ts'
import type { NewEntries, NewEntry } from './entries.ts'
import type { ProvenanceInput } from './provenance-input.schema.ts'

/** Whether a prompt has the version, and its latest version; undefined if the prompt does not exist. */
export type VersionLookup = (
  promptId: number,
  versionNumber: string,
) => { is_known: boolean; latest: string } | undefined

/** The changed fields before and after a write. */
type Sides = { before: object; after: object }
type Resolved = { entries: NewEntries | undefined; errors: BodyError[] }

const textFields = fieldNames.filter((name) => productFields[name].isText)
const nothing: Resolved = { entries: undefined, errors: [] }

/** Creates an entry for each changed field that the prompt wrote. Errors are reported even if the write changes nothing. */
export function resolveProvenance(
  given: ProvenanceInput | undefined,
  find: VersionLookup,
  sides: Sides | undefined,
  reviewedBy: string | null = null,
): Resolved {
  if (given === undefined) return nothing
  const { prompt_id, version_number, model = null, fields } = given
  const errors = [...findVersionErrors(given, find), ...unknownFields(fields ?? [], '/provenance/fields')]
  if (errors.length > 0 || sides === undefined) return { entries: undefined, errors }
  const entry = { prompt_id, version_number, model, reviewed_by: reviewedBy }
  return {
    entries: entriesOf(entry, new Set<string>(fields ?? textFields), fields === undefined, sides),
    errors,
  }
}

/** Undefined if none of the fields changed. A removed attribute has no value, so it gets no entry. */
function entriesOf(
  entry: NewEntry,
  fields: ReadonlySet<string>,
  isDefault: boolean,
  sides: Sides,
): NewEntries | undefined {
  const written = [...changedFields(sides)].filter(([field, { after }]) => {
    const [group, name] = splitField(field)
    const isRemoved = name !== undefined && after === null && group !== 'inventory'
    const path = readViewPath(field)
    if (isSourcePath(field)) return false
    // By default, a prompt wrote the text of a view as it would have written that of the base.
    return (
      !isRemoved && (isNamed(field, fields) || (isDefault && path !== undefined && fields.has(path.field)))
    )
  })
  return written.length === 0 ? undefined : Object.fromEntries(written.map(([field]) => [field, entry]))
}

function findVersionErrors({ prompt_id, version_number }: ProvenanceInput, find: VersionLookup): BodyError[] {
  const found = find(prompt_id, version_number)
  if (found === undefined) {
    const message = `there is no prompt ${prompt_id} in this project`
    return [{ pointer: '/provenance/prompt_id', code: 'unknown_prompt', message }]
  }
  if (found.is_known) return []
  const message = `prompt ${prompt_id} has no version ${version_number}; its latest is ${found.latest}`
  return [{ pointer: '/provenance/version_number', code: 'unknown_version', message }]
}
