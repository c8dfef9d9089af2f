import { isDeepStrictEqual } from 'node:util'
import type {
  AttributeDefinition,
  AttributeDefinitionPatch,
  AttributeDefinitionsPut,
} from '../../model/attributes/attribute-definition.schema.ts'
import {
  findDefinitionErrors,
  findSetErrors,
  findSizeErrors,
} from '../../model/attributes/definition-errors.ts'
import type { ChangeAuthor } from '../../model/events/record-events.sql.ts'
import type { Transaction, Writable } from '../../platform/database/database.ts'
import { type BodyError, notFound, Problem } from '../../platform/http/problems.ts'
import { changeRuleset } from '../rulesets/ruleset.sql.ts'
import { findUnknownCategories } from './find-unknown-categories.ts'

type Definitions = readonly AttributeDefinition[]

/** Creates a new ruleset version, unless the change returns its argument. Returns the version in force. */
function changeDefinitions(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  change: (current: Definitions) => Definitions,
): Promise<number> {
  return changeRuleset(tx, projectId, author, (stored) => {
    const definitions = change(stored.definitions)
    if (definitions === stored.definitions) return stored
    rejectErrors(findSizeErrors(definitions))
    return { ...stored, definitions: definitions.toSorted(byPosition) }
  })
}

/** Names are compared by code point, as in the database. */
function byPosition(one: AttributeDefinition, other: AttributeDefinition): number {
  return one.position - other.position || Buffer.compare(Buffer.from(one.name), Buffer.from(other.name))
}

function rejectErrors(errors: BodyError[]): void {
  if (errors.length > 0) throw new Problem('invalid_body', { errors })
}

export function requireDefinition(definitions: Definitions, name: string): AttributeDefinition {
  const found = definitions.find((one) => one.name === name)
  if (found === undefined) throw notFound('definition for the attribute', `"${name}"`)
  return found
}

export async function createDefinition(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  input: AttributeDefinition,
): Promise<AttributeDefinition> {
  rejectErrors([
    ...findDefinitionErrors(input),
    ...(await findUnknownCategories(tx, projectId, [{ pointer: '', ...input }])),
  ])
  await changeDefinitions(tx, projectId, author, (current) => {
    if (current.some(({ name }) => name === input.name))
      throw new Problem('duplicate_name', {
        detail: `The attribute "${input.name}" is already defined; update its definition with PATCH.`,
      })
    return [...current, input]
  })
  return input
}

/** RFC 7396: fields that the patch leaves out do not change, and null clears a field. */
export async function changeDefinition(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  name: string,
  patch: AttributeDefinitionPatch,
): Promise<AttributeDefinition> {
  if (patch.name !== undefined && patch.name !== name)
    rejectErrors([
      {
        pointer: '/name',
        code: 'read_only',
        message: 'cannot be changed; define an attribute with the new name and delete this one',
      },
    ])
  // Only the categories in the patch: a category that was deleted since does not block other changes.
  rejectErrors(await findUnknownCategories(tx, projectId, [{ pointer: '', ...patch }]))
  const changed: AttributeDefinition[] = []
  await changeDefinitions(tx, projectId, author, (current) => {
    const held = requireDefinition(current, name)
    const next = { ...held, ...patch, required_for: patchRequired(held, patch) }
    rejectErrors(findDefinitionErrors(next))
    changed.push(next)
    return isDeepStrictEqual(next, held) ? current : current.map((one) => (one === held ? next : one))
  })
  return changed[0] as AttributeDefinition
}

function patchRequired(
  { required_for: held }: AttributeDefinition,
  { required_for: patch }: AttributeDefinitionPatch,
): AttributeDefinition['required_for'] {
  if (patch === undefined) return held
  return patch === null ? null : { product_types: [], categories: [], ...held, ...patch }
}

export async function deleteDefinition(
  tx: Transaction,
  projectId: number,
  author: ChangeAuthor,
  name: string,
): Promise<void> {
  await changeDefinitions(tx, projectId, author, (current) => {
    const held = requireDefinition(current, name)
    return current.filter((one) => one !== held)
  })
}

/** Replaces all definitions, or only reports what would change. */
export function replaceDefinitions(
  writable: Writable,
  projectId: number,
  author: ChangeAuthor,
  wanted: Definitions,
  dryRun: boolean,
): Promise<AttributeDefinitionsPut> {
  return writable.transaction(
    async (tx) => {
      const placed = wanted.map((one, index) => ({ pointer: `/attributes/${index}`, ...one }))
      // Checked here too, because a dry run changes nothing but must report errors.
      rejectErrors([
        ...findSizeErrors(wanted),
        ...findSetErrors(placed),
        ...(await findUnknownCategories(tx, projectId, placed)),
      ])
      let counts = countDefinitionChanges([], wanted)
      const ruleset = await changeDefinitions(tx, projectId, author, (current) => {
        counts = countDefinitionChanges(current, wanted)
        return dryRun || counts.unchanged === Math.max(current.length, wanted.length) ? current : wanted
      })
      return { ...counts, ruleset, dry_run: dryRun }
    },
    { project: projectId },
  )
}

function countDefinitionChanges(current: Definitions, wanted: Definitions) {
  const held = new Map(current.map((one) => [one.name, one]))
  const known = wanted.filter(({ name }) => held.has(name))
  const unchanged = known.filter((one) => isDeepStrictEqual(one, held.get(one.name))).length
  return {
    created: wanted.length - known.length,
    updated: known.length - unchanged,
    deleted: current.length - known.length,
    unchanged,
  }
}
