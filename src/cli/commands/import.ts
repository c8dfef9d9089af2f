import { type Command, Option } from 'commander'
import { fileUploads, inspectOnly } from '../../catalog/assets/upload-file.ts'
import { importFormats } from '../../catalog/import/import-file.ts'
import type { ImportOptions } from '../../catalog/import/import-plan.ts'
import { type ImportSummary, prepareImport } from '../../catalog/import/prepare-import.ts'
import type { CellCount } from '../../catalog/import/rows/tally.ts'
import { systems } from '../../catalog/import/source.ts'
import { findMediaFiles } from '../../catalog/media-store/media-files.ts'
import { encodings } from '../../model/files/text-format.ts'
import { pushModes } from '../../model/product/push-input.schema.ts'
import { type CommonOptions, command, configFrom, parseId, print, withDatabase } from '../command.ts'
import { limitHeapGrowth } from '../limit-heap-growth.ts'
import { Interrupted } from '../signals.ts'

type Options = CommonOptions & ImportOptions

export function importCommand(): Command {
  return command('import', 'Import products from a file (safe to run again)')
    .argument(
      '<file>',
      'NDJSON, JSON array or CSV file; a zip file of images; a folder for --from akeneo; - reads standard input',
    )
    .requiredOption('--project <id>', 'Project ID', parseId)
    .addOption(
      new Option('--format <format>', 'File format (default: from the file extension)').choices(
        importFormats,
      ),
    )
    .addOption(
      new Option('--mode <mode>', 'Write mode; create rejects existing SKUs, update rejects new ones')
        .choices(pushModes)
        .default('upsert'),
    )
    .addOption(new Option('--from <system>', 'System that the file was exported from').choices(systems))
    .option('--map <file>', 'Map of CSV columns to fields: magento, akeneo or your own file')
    .addOption(
      new Option('--rest <how>', 'Import all other CSV columns as attributes').choices(['attributes']),
    )
    .option(
      '--media-base <url>',
      'Base URL (https) for image paths without a host, or a folder with the images, which are uploaded',
    )
    .option('--locale <locale>', 'Preferred locale for localized columns, such as en_US')
    .option('--unit <column=unit...>', 'Unit of a mapped column, such as weight=kg')
    .addOption(
      new Option('--encoding <encoding>', 'Encoding of a CSV file (default: detected)').choices(encodings),
    )
    .option('--dry-run', 'Report what would change without writing')
    .addOption(
      new Option(
        '--propose',
        'Create a proposal for review instead of writing products; large files create several',
      ).conflicts('dryRun'),
    )
    .option('--title <title>', 'Proposal title (default: "Import of FILE")')
    .option(
      '--rejected <file>',
      'File for rejected lines and their errors (default: FILE.rejected.*; none in a dry run)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  catalog import products.csv --project 1 --dry-run\n  catalog import products.csv --project 1\n  catalog import products.csv --project 1 --propose --title "Autumn prices"\n  catalog import wc-product-export.csv --project 1 --from woocommerce --dry-run\n  catalog import export.csv --project 1 --map magento --media-base https://shop.example/media/catalog/product\n  catalog import akeneo-exports --project 1 --from akeneo --locale en_US\n\nTo import from another system, see docs/moving-in.md.',
    )
    .action(async (file: string, options: Options) => {
      const config = configFrom(options)
      const { run, close } = prepareImport(file, options, (database) =>
        options.dryRun === true
          ? inspectOnly
          : fileUploads(database, findMediaFiles(config), options.project),
      )
      limitHeapGrowth()
      try {
        await withDatabase(options, run)
      } catch (error) {
        // Lines that are already written stay, so report them even if the file is broken or the import was stopped.
        const summary = close()
        if (summary.lines > 0 || error instanceof Interrupted) printSummary(options, summary)
        throw error
      }
      const summary = close()
      printSummary(options, summary)
      if (summary.rejected > 0) process.exitCode = 1
    })
}

function printSummary(options: Options, summary: ImportSummary): void {
  if (options.json === true) {
    print(options, summary)
    return
  }
  const { cells, dropped = [], changed = [], categories, definitions, unread_files, ...counts } = summary
  print(options, {
    ...counts,
    ...(categories && { categories_created: categories.created, definitions_created: definitions?.created }),
    ...(cells && { cells_taken: cells.taken, cells_dropped: cells.dropped }),
    ...(unread_files && { unread_files: unread_files.join(', ') }),
  })
  const tableOf = (title: string, some: CellCount[]) =>
    some.map(({ file, column, reason, cells: number }) => ({
      [title]: column,
      ...(unread_files && { file }),
      reason,
      cells: number,
    }))
  if (dropped.length > 0) print(options, tableOf('dropped', dropped))
  if (changed.length > 0) print(options, tableOf('changed', changed))
}
