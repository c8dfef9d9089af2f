import { type Command, Option } from 'commander'
import type { Database } from '../../database/database.ts'
import { type Encoding, encodings } from '../../files/text-form.ts'
import { pushModes } from '../../products/push/apply-lines.ts'
import { dryRun } from '../../products/push/dry-run.ts'
import { pushProducts } from '../../products/push/push-products.ts'
import type { Verdict } from '../../products/push/verdicts.ts'
import { requireProject } from '../../projects/project.sql.ts'
import type { Ruleset } from '../../quality/ruleset.ts'
import { currentRuleset } from '../../quality/rulesets.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import { addsToProduct, type Counts, countLines, type Way } from '../import/count-lines.ts'
import type { FileLine } from '../import/file-line.ts'
import { formatOf, type ImportFile, importFormats, openImport } from '../import/import-file.ts'
import type { Order } from '../import/in-steps.ts'
import { nameLines } from '../import/name-lines.ts'
import { type Proposer, proposerOf } from '../import/propose-batches.ts'
import { type Rejects, rejectsOf } from '../import/rejected-lines.ts'
import { steps } from '../import/row-lines.ts'
import { isForeign, type SourceOptions, sourceOf, systems } from '../import/source.ts'
import type { CellCount, CellCounts } from '../import/tally.ts'
import { limitHeapGrowth } from '../limit-heap-growth.ts'
import { progressBar } from '../progress.ts'
import { Interrupted } from '../signals.ts'

type ImportOptions = CommonOptions & {
  project: number
  dryRun?: boolean
  propose?: boolean
  title?: string
  rejected?: string
  encoding?: Encoding
} & SourceOptions

export function importCommand(): Command {
  return command('import', 'write the products of a file; it may be run again, and what is written stays')
    .argument('<file>', 'NDJSON, JSON array or CSV; - reads standard input')
    .requiredOption('--project <id>', 'id of the project', parseId)
    .addOption(new Option('--format <format>', 'by default what the name says').choices(importFormats))
    .addOption(
      new Option('--mode <mode>', 'create refuses known SKUs, update new ones')
        .choices(pushModes)
        .default('upsert'),
    )
    .addOption(new Option('--from <system>', 'a product export of another system').choices(systems))
    .option('--map <file>', 'map from CSV columns to fields: magento, akeneo or a file of yours')
    .addOption(new Option('--rest <how>', 'keep all other CSV columns').choices(['attributes']))
    .option('--media-base <url>', 'https address that precedes pictures without a host')
    .option('--locale <locale>', 'preferred language of localized columns, such as en_US')
    .option('--unit <column=unit...>', 'unit of a column of --map, such as weight=kg')
    .addOption(new Option('--encoding <encoding>', 'of a CSV (default: detected)').choices(encodings))
    .option('--dry-run', 'report what would happen, and write nothing')
    .addOption(
      new Option(
        '--propose',
        'write no product, and make a proposal to look at and apply; several of a large file',
      ).conflicts('dryRun'),
    )
    .option('--title <title>', 'of the proposal (default: "Import of FILE")')
    .option(
      '--rejected <file>',
      'for lines that are rejected, with their errors (default: FILE.rejected.*; in a dry run none)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  catalog import products.csv --project 1 --dry-run\n  catalog import products.csv --project 1\n  catalog import products.csv --project 1 --propose --title "Autumn prices"\n  catalog import wc-product-export.csv --project 1 --from woocommerce --dry-run\n  catalog import export.csv --project 1 --map magento --media-base https://shop.example/media/catalog/product\n\ndocs/moving-in.md has more on files of other systems.',
    )
    .action(async (file: string, options: ImportOptions) => {
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

function tell(options: ImportOptions, summary: ImportSummary): void {
  if (options.json === true) {
    print(options, summary)
    return
  }
  const { cells, dropped = [], changed = [], ...counts } = summary
  print(options, { ...counts, ...(cells && { cells_taken: cells.taken, cells_dropped: cells.dropped }) })
  const tableOf = (title: string, some: CellCount[]) =>
    some.map(({ column, reason, cells: number }) => ({ [title]: column, reason, cells: number }))
  if (dropped.length > 0) print(options, tableOf('dropped', dropped))
  if (changed.length > 0) print(options, tableOf('changed', changed))
}

type ImportSummary = Counts & {
  /** In the order in which they are to be applied. */
  proposals?: number[]
  rejected_file: string | null
} & Partial<CellCounts>

type Import = {
  run(database: Database): Promise<void>
  /** What was written, also when run() was left in the middle. */
  close(): ImportSummary
}

function prepareImport(file: string, options: ImportOptions): Import {
  const way = wayOf(options)
  if (options.title !== undefined && way !== 'proposal')
    throw new Error('--title is for proposals; add --propose')
  const proposer = way === 'proposal' ? proposerOf(file, options.title) : undefined
  let source: ImportFile | undefined
  let rejects: Rejects | undefined
  let batch: FileLine[] = []
  // Of the batch that is being written, as its lines are applied; each tells the place of its line in the batch.
  const verdicts: Verdict[] = []
  const { count, counts } = countLines(way, (line, errors) => {
    if (source !== undefined) rejects?.write(source.rejectedHead, line, errors)
  })

  function countBatch(): void {
    for (const verdict of verdicts.sort((one, other) => one.line - other.line))
      count(batch[verdict.line - 1] as FileLine, verdict)
    verdicts.length = 0
  }

  async function run(database: Database): Promise<void> {
    const { currency } = await requireProject(database, options.project)
    const { definitions } = await currentRuleset(database, options.project)
    const format = options.format ?? (isForeign(options) ? 'csv' : formatOf(file))
    const readerOf = sourceOf(file, options, { currency, definitions })
    rejects = rejectsOf(file, format, options.rejected, way === 'dry run')
    source = openImport(file, format, { encoding: options.encoding, readerOf, order: orderOf(options) })
    const batches = proposer?.batches(source.batches) ?? source.batches
    const progress = progressBar('lines')
    try {
      for await (const read of batches) {
        batch = inOrder(await nameLines(database, options.project, read))
        // Each batch anew: an import may take hours.
        const ruleset = await currentRuleset(database, options.project)
        await pushBatch(database, options, ruleset, batch, verdicts, proposer)
        countBatch()
        progress.show(counts().lines, source.partRead())
      }
    } finally {
      progress.end()
    }
  }

  return {
    run,
    close() {
      source?.close()
      countBatch()
      return {
        ...counts(),
        ...(proposer && { proposals: proposer.ids }),
        rejected_file: rejects?.close() ?? null,
        ...source?.tally?.counts(),
      }
    },
  }
}

function wayOf({ dryRun: isDry, propose }: ImportOptions): Way {
  return isDry === true ? 'dry run' : propose === true ? 'proposal' : 'import'
}

/** The proposal of a small file orders its lines itself, also those that add to its products. */
function orderOf(options: ImportOptions): Order {
  const way = wayOf(options)
  if (way === 'dry run') return 'own'
  return way === 'import' && isForeign(options) ? 'steps' : 'steps of large files'
}

async function pushBatch(
  database: Database,
  { project, mode, dryRun: isDry = false }: ImportOptions,
  ruleset: Ruleset,
  batch: FileLine[],
  verdicts: Verdict[],
  proposer: Proposer | undefined,
): Promise<void> {
  const push = {
    projectId: project,
    author: { actor: 'catalog import', source: 'cli' },
    ruleset,
    // What adds to products makes none; such lines have batches of their own, unless nothing is written.
    mode: batch.every(addsToProduct) ? 'update' : mode,
  } as const
  const run = proposer?.propose ?? (isDry ? dryRun : pushProducts)
  const lines = batch.map(({ line }, place) => ({ ...line, number: place + 1 }))
  await run(database, push, lines, {
    begin: () => verdicts.splice(0),
    tell: (some) => verdicts.push(...some),
  })
}

/** What adds to products stands after them, as where it is written. */
function inOrder(batch: FileLine[]): FileLine[] {
  if (!batch.some(addsToProduct)) return batch
  return batch.toSorted((one, other) => steps.indexOf(one.step) - steps.indexOf(other.step))
}
