import type { Database } from '../../platform/database/database.ts'
import { readModel } from './akeneo/akeneo-model.ts'
import { akeneo } from './akeneo/akeneo-source.ts'
import { writeStructure } from './akeneo/write-structure.ts'
import type { ImportOptions, Plan } from './import-plan.ts'
import { checkOptions, foreignReader, type ProjectFacts } from './source.ts'

/** Writes the categories and attribute definitions, and plans the import of product models and products. */
export async function planAkeneo(
  database: Database,
  path: string,
  options: ImportOptions,
  project: ProjectFacts,
): Promise<Plan> {
  checkOptions(path, options)
  if (options.propose === true)
    throw new Error(
      '--from akeneo writes categories and attribute definitions, which a proposal cannot contain; use --map akeneo',
    )
  const model = await readModel(path, options.encoding, { views: project.views, locale: options.locale })
  const { models, products } = model.files.found
  const files = [models, products].filter((file) => file !== undefined)
  if (options.rejected !== undefined && files.length > 1)
    throw new Error(
      '--rejected supports only one file; without it, rejected rows are written next to each file',
    )
  const write = { project: options.project, isDry: options.dryRun === true, definitions: project.definitions }
  const summary = await writeStructure(database, model, write)
  const readerOf = foreignReader((header, context) => akeneo(model, header, context), options, project)
  return {
    parts: files.map((file) => ({ file, readerOf })),
    summary: { ...summary, unread_files: model.files.unread },
    counts: model.counts,
  }
}
