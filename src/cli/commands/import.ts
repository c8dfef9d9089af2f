import { type Command, Option } from 'commander'
import { importFormats } from '../../catalog/import/import-file.ts'
import type { ImportOptions } from '../../catalog/import/import-plan.ts'
import { type ImportSummary, prepareImport } from '../../catalog/import/prepare-import.ts'
import type { CellCount } from '../../catalog/import/rows/tally.ts'
import { systems } from '../../catalog/import/source.ts'
import { encodings } from '../../model/files/text-form.ts'
import { pushModes } from '../../model/product/push-input.schema.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { limitHeapGrowth } from '../limit-heap-growth.ts'
import { Interrupted } from '../signals.ts'

type Options = CommonOptions & ImportOptions

export function importCommand(): Command {
  return command('import', 'import products from a file; you can run it again')
    .argument('<file>', 'NDJSON, JSON array or CSV; - reads standard input; a folder for --from akeneo')
    .requiredOption('--project <id>', 'project ID', parseId)
    .addOption(
      new Option('--format <format>', 'format of the file (default: by its extension)').choices(
        importFormats,
      ),
    )
    .addOption(
      new Option('--mode <mode>', 'create rejects existing SKUs, update rejects new ones')
        .choices(pushModes)
        .default('upsert'),
    )
    .addOption(new Option('--from <system>', 'system that the file comes from').choices(systems))
    .option('--map <file>', 'map from CSV columns to fields: magento, akeneo or your own file')
    .addOption(new Option('--rest <how>', 'keep all other CSV columns').choices(['attributes']))
    .option('--media-base <url>', 'https base URL for pictures without a host')
    .option('--locale <locale>', 'preferred language of localized columns, such as en_US')
    .option('--unit <column=unit...>', 'unit of a mapped column, such as weight=kg')
    .addOption(
      new Option('--encoding <encoding>', 'encoding of a CSV (default: detected)').choices(encodings),
    )
    .option('--dry-run', 'report what would happen, and write nothing')
    .addOption(
      new Option(
        '--propose',
        'create a proposal to review and apply, instead of writing products; several for a large file',
      ).conflicts('dryRun'),
    )
    .option('--title <title>', 'title of the proposal (default: "Import of FILE")')
    .option(
      '--rejected <file>',
      'file for rejected lines and their errors (default: FILE.rejected.*; none in a dry run)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  catalog import products.csv --project 1 --dry-run\n  catalog import products.csv --project 1\n  catalog import products.csv --project 1 --propose --title "Autumn prices"\n  catalog import wc-product-export.csv --project 1 --from woocommerce --dry-run\n  catalog import export.csv --project 1 --map magento --media-base https://shop.example/media/catalog/product\n  catalog import akeneo-exports --project 1 --from akeneo --locale en_US\n\nFor files of other systems, see docs/moving-in.md.',
    )
    .action(async (file: string, options: Options) => {
      const { run, close } = prepareImport(file, options)
      limitHeapGrowth()
      try {
        await withDatabase(options, run)
      } catch (error) {
        // What was written stays, and is told: of a file that cannot be read to its end, and of an import that is stopped.
        const summary = close()
        if (summary.lines > 0 || error instanceof Interrupted) tell(options, summary)
        throw error
      }
      const summary = close()
      tell(options, summary)
      if (summary.rejected > 0) process.exitCode = 1
    })
}

function tell(options: Options, summary: ImportSummary): void {
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
