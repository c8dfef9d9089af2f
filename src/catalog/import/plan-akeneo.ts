import type { Database } from '../../platform/database/database.ts'
import { readModel } from './akeneo/akeneo-model.ts'
import { akeneo } from './akeneo/akeneo-source.ts'
import { writeStructure } from './akeneo/write-structure.ts'
import type { ImportOptions, Plan } from './import-plan.ts'
import { foreignReader, type ProjectFacts, refuseMisuse } from './source.ts'

/** Writes categories and definitions of an export, and plans the files of product models and products. */
export async function planAkeneo(
  database: Database,
  path: string,
  options: ImportOptions,
  project: ProjectFacts,
): Promise<Plan> {
  refuseMisuse(path, options)
  if (options.propose === true)
    throw new Error(
      '--from akeneo writes categories and definitions, which a proposal cannot; use --map akeneo',
    )
  const model = await readModel(path, options.encoding, options.locale)
  const { models, products } = model.files.found
  const files = [models, products].filter((file) => file !== undefined)
  if (options.rejected !== undefined && files.length > 1)
    throw new Error('--rejected is for one file; leave it out to keep rejected rows next to each file')
  const write = { project: options.project, isDry: options.dryRun === true, definitions: project.definitions }
  const summary = await writeStructure(database, model, write)
  const readerOf = foreignReader((header, context) => akeneo(model, header, context), options, project)
  return {
    parts: files.map((file) => ({ file, readerOf })),
    summary: { ...summary, unread_files: model.files.unread },
    counts: model.counts,
  }
}
