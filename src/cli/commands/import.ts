import { type Command, Option } from 'commander'
import type { Database } from '../../database/database.ts'
import { type PushMode, pushModes } from '../../products/push/apply-lines.ts'
import { dryRun } from '../../products/push/dry-run.ts'
import { pushProducts } from '../../products/push/push-products.ts'
import { emptySummary, type PushSummary, type Verdict } from '../../products/push/verdicts.ts'
import { requireProject } from '../../projects/project.sql.ts'
import type { Ruleset } from '../../quality/ruleset.ts'
import { currentRuleset } from '../../quality/rulesets.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from '../command.ts'
import type { FileLine } from '../import/file-line.ts'
import {
  formatOf,
  type ImportFile,
  type ImportFormat,
  importFormats,
  openImport,
} from '../import/import-file.ts'
import { type Rejects, rejectsOf } from '../import/rejected-lines.ts'
import { limitHeapGrowth } from '../limit-heap-growth.ts'
import { progressBar } from '../progress.ts'
import { Interrupted } from '../signals.ts'
import { visible } from '../visible.ts'

type ImportOptions = CommonOptions & {
  project: number
  format?: ImportFormat
  mode: PushMode
  dryRun?: boolean
  rejected?: string
}

const mostWarnings = 20

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
    .option('--dry-run', 'say what would happen, and write nothing')
    .option(
      '--rejected <file>',
      'for lines that are rejected, with their errors (default: FILE.rejected.*; in a dry run none)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  catalog import products.csv --project 1 --dry-run\n  catalog import products.csv --project 1',
    )
    .action(async (file: string, options: ImportOptions) => {
      const { run, close } = prepareImport(file, options)
      limitHeapGrowth()
      try {
        await withDatabase(options, run)
      } catch (error) {
        // What was written stays, and is told: of a file that cannot be read to its end, and of an import that is stopped.
        const summary = close()
        if (summary.lines > 0 || error instanceof Interrupted) print(options, summary)
        throw error
      }
      const summary = close()
      print(options, summary)
      if (summary.rejected > 0) process.exitCode = 1
    })
}

type Import = {
  run(database: Database): Promise<void>
  /** What was written, also when run() was left in the middle. */
  close(): PushSummary & { rejected_file: string | null }
}

function prepareImport(file: string, options: ImportOptions): Import {
  const summary = emptySummary()
  const tellWarnings = warningsTold()
  let source: ImportFile | undefined
  let rejects: Rejects | undefined
  let batch: FileLine[] = []
  // Of the batch that is being written, in the order of its lines.
  const verdicts: Verdict[] = []

  function count(): void {
    for (const [index, { outcome, errors, warnings = [] }] of verdicts.entries()) {
      summary.lines += 1
      if (warnings.length > 0) tellWarnings(batch[index] as FileLine, warnings)
      summary[outcome] += 1
      if (outcome === 'rejected' && source !== undefined)
        rejects?.write(source.rejectedHead, batch[index] as FileLine, errors.map(sentence).join('; '))
    }
    verdicts.length = 0
  }

  async function run(database: Database): Promise<void> {
    await requireProject(database, options.project)
    const format = options.format ?? formatOf(file)
    rejects = rejectsOf(file, format, options.rejected, options.dryRun === true)
    source = openImport(file, format)
    const progress = progressBar('lines')
    try {
      for await (batch of source.batches) {
        // Each batch anew: an import may take hours.
        const ruleset = await currentRuleset(database, options.project)
        await pushBatch(database, options, ruleset, batch, verdicts)
        count()
        progress.show(summary.lines, source.partRead())
      }
    } finally {
      progress.end()
    }
  }

  return {
    run,
    close() {
      source?.close()
      count()
      return { ...summary, rejected_file: rejects?.close() ?? null }
    },
  }
}

async function pushBatch(
  database: Database,
  { project, mode, dryRun: isDry = false }: ImportOptions,
  ruleset: Ruleset,
  batch: FileLine[],
  verdicts: Verdict[],
): Promise<void> {
  const push = {
    projectId: project,
    author: { actor: 'catalog import', source: 'cli' },
    ruleset,
    mode,
  } as const
  const run = isDry ? dryRun : pushProducts
  await run(
    database,
    push,
    batch.map(({ line }) => line),
    { begin: () => verdicts.splice(0), tell: (some) => verdicts.push(...some) },
  )
}

/** Lines that were written against a definition that only warns: the first of them are told. */
function warningsTold(): (line: FileLine, warnings: NonNullable<Verdict['warnings']>) => void {
  let told = 0
  return ({ line }, warnings) => {
    told += 1
    if (told <= mostWarnings)
      process.stderr.write(`line ${line.number}, a warning: ${visible(warnings.map(sentence).join('; '))}\n`)
    if (told === mostWarnings + 1) process.stderr.write('and more lines with warnings\n')
  }
}

function sentence({ pointer, code, message }: Verdict['errors'][number]): string {
  return `${pointer ? `${pointer} ` : ''}${message} (${code})`.replaceAll(/\s+/g, ' ')
}
