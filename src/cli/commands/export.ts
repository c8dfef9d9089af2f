import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { type Command, Option } from 'commander'
import { requireProject } from '../../access/projects/project.sql.ts'
import {
  type ExportFormat,
  exportFormats,
  exportProducts,
} from '../../catalog/products/export/export-products.ts'
import { chooseViews } from '../../catalog/products/export/export-views.ts'
import { currentRuleset } from '../../catalog/rulesets/rulesets.ts'
import type { Database } from '../../platform/database/database.ts'
import { progressBar } from '../../platform/terminal/progress.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'

type ExportOptions = CommonOptions & {
  project: number
  format: ExportFormat
  views?: string
  output?: string
}

export function exportCommand(): Command {
  return command('export', 'Export all products of a project')
    .requiredOption('--project <id>', 'Project ID', parseId)
    .addOption(new Option('--format <format>', 'Output format').choices(exportFormats).default('ndjson'))
    .option('--views <codes>', 'Codes of the views to include, such as de,at, or all')
    .option('--output <file>', 'Output file (default: standard output)')
    .addHelpText('after', '\nExample:\n  catalog export --project 1 --format csv --output products.csv')
    .action(async (options: ExportOptions) => {
      const products = await withDatabase(options, (database) => exportFile(database, options))
      if (options.output !== undefined) print(options, { products, file: options.output })
    })
}

async function exportFile(
  database: Database,
  { project, format, views, output }: ExportOptions,
): Promise<number> {
  await requireProject(database, project)
  const chosen = chooseViews((await currentRuleset(database, project)).views, views)
  const progress = progressBar('products')
  let count = 0
  async function* texts() {
    for await (const { text, products } of exportProducts(database, project, {}, format, { views: chosen })) {
      count += products
      progress.show(count)
      yield text
    }
  }
  // The pipeline must not close standard output.
  if (output === undefined) await pipeline(texts, process.stdout, { end: false })
  else await pipeline(texts, createWriteStream(output))
  progress.end()
  return count
}
