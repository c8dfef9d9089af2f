import { Type } from 'typebox'
import {
  type AttributeDefinition,
  AttributeDefinitionSetSchema,
  type AttributeDefinitionsPut,
} from '../../../model/attributes/attribute-definition.schema.ts'
import { CategoryReferenceSchema } from '../../../model/categories/category-reference.ts'
import type { Database } from '../../../platform/database/database.ts'
import { checkInput, withPlainErrors } from '../../../platform/http/body/check-input.ts'
import { replaceDefinitions } from '../../attributes/manage-definitions.ts'
import { lookUpCategories, resolveCategories } from '../../categories/look-up-categories.ts'
import { fileLimits } from '../../limits.ts'
import type { AkeneoModel } from './akeneo-model.ts'
import { familyPath, familyPaths } from './families.ts'

const author = { actor: 'catalog import', source: 'cli' } as const
const PathsSchema = Type.Object({ categories: Type.Array(CategoryReferenceSchema) })

export type StructureSummary = {
  categories: { created: number; unchanged: number }
  definitions: Pick<AttributeDefinitionsPut, 'created' | 'updated' | 'unchanged'>
}
type Write = { project: number; isDry: boolean; definitions: readonly AttributeDefinition[] }

/** Writes the category tree and definitions of an export, or counts them in a dry run. */
export async function writeStructure(
  database: Database,
  model: AkeneoModel,
  { project, isDry, definitions: held }: Write,
): Promise<StructureSummary> {
  const labels = [...model.families.labels]
  const paths = [...model.categories.values(), ...familyPaths(model.families)]
  const categories = await writePaths(database, project, paths, isDry)
  const familyIds = new Map(
    labels.map(([code, label]) => [code, categories.ids.get(JSON.stringify(familyPath(label))) ?? 0]),
  )
  const definitions = await writeDefinitions(database, project, wanted(model, held, familyIds), isDry)
  return { categories: categories.counts, definitions }
}

async function writePaths(database: Database, project: number, paths: string[][], isDry: boolean) {
  const ids = new Map<string, number>()
  const counts = { created: 0, unchanged: 0 }
  for (let from = 0; from < paths.length; from += fileLimits.categoryPaths) {
    const part = paths.slice(from, from + fileLimits.categoryPaths).map((path) => ({ path }))
    checkInput(PathsSchema, { categories: part })
    const before = await lookUpCategories(database, project, [part], false)
    for (const { id } of before.pick(part)) counts[id < 0 ? 'created' : 'unchanged'] += 1
    const write = () =>
      database.transaction(
        (tx) =>
          resolveCategories(
            tx,
            project,
            part.map((one) => ({ author, categories: [one] })),
          ),
        {
          project,
        },
      )
    const found = isDry ? part.map((one) => before.pick([one])) : await withPlainErrors(write())
    for (const [at, [category]] of found.entries())
      if (category !== undefined && category.id > 0) ids.set(JSON.stringify(part[at]?.path), category.id)
  }
  return { ids, counts }
}

/** Merges the definitions of the files into those of the project, which keep their mode and description. */
function wanted(
  { definitions, families, columns }: AkeneoModel,
  held: readonly AttributeDefinition[],
  familyIds: ReadonlyMap<string, number>,
): AttributeDefinition[] {
  const before = new Map(held.map((one) => [one.name, one]))
  const imported = definitions.map((definition): AttributeDefinition => {
    const code = columns.attributes.get(definition.name)?.code ?? definition.name
    // A localized attribute is required in some language, not in all of them.
    const requiring = code === definition.name ? (families.requiredBy.get(code) ?? []) : []
    const ids = requiring.flatMap((family) => familyIds.get(family) || []).sort((one, other) => one - other)
    const { mode = 'warn', description = '' } = before.get(definition.name) ?? {}
    const product_types: ('simple' | 'virtual')[] = families.ofVariants.has(code) ? ['simple', 'virtual'] : []
    const required_for = ids.length === 0 ? null : { product_types, categories: ids.slice(0, 1_000) }
    return { ...definition, required_for, mode, description }
  })
  const names = new Set(imported.map(({ name }) => name))
  return [...held.filter(({ name }) => !names.has(name)), ...imported]
}

async function writeDefinitions(
  database: Database,
  project: number,
  attributes: AttributeDefinition[],
  isDry: boolean,
): Promise<StructureSummary['definitions']> {
  if (attributes.length === 0) return { created: 0, updated: 0, unchanged: 0 }
  checkInput(AttributeDefinitionSetSchema, { attributes })
  const put = replaceDefinitions(database, project, author, attributes, isDry)
  const { created, updated, unchanged } = await withPlainErrors(put)
  return { created, updated, unchanged }
}
