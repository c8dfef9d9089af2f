import { type Command, Option } from 'commander'
import type { Database } from '../database/database.ts'
import type { PushMode } from '../products/judge-push.ts'
import { type PushSummary, pushModes, type Verdict } from '../products/product-bulk.schema.ts'
import { emptySummary, pushProducts } from '../products/push-products.ts'
import { requireProject } from '../projects/project.sql.ts'
import { type CommonOptions, command, parseId, print, withDatabase } from './command.ts'
import {
  type FileLine,
  formatOf,
  type ImportFile,
  type ImportFormat,
  importFormats,
  openImport,
} from './import-file.ts'
import { progressBar } from './progress.ts'
import { type Rejects, rejectsOf } from './rejected-lines.ts'

type ImportOptions = CommonOptions & {
  project: number
  format?: ImportFormat
  mode: PushMode
  dryRun?: boolean
  rejected?: string
}

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
      const { failure, ...summary } = await withDatabase(options, (database) =>
        importFile(database, file, options),
      )
      print(options, summary)
      if (failure !== undefined) throw failure
      if (summary.rejected > 0) process.exitCode = 1
    })
}

/** What was written stays: a file that cannot be read to its end has a summary too. */
type Imported = PushSummary & { rejected_file: string | null; failure?: unknown }

async function importFile(database: Database, file: string, options: ImportOptions): Promise<Imported> {
  await requireProject(database, options.project)
  const format = options.format ?? formatOf(file)
  const rejects = rejectsOf(file, format, options.rejected, options.dryRun === true)
  const source = openImport(file, format)
  const summary = emptySummary()
  try {
    await importPortions(database, options, source, summary, rejects)
  } catch (failure) {
    if (summary.lines === 0) throw failure
    return { ...summary, rejected_file: rejects.close(), failure }
  }
  return { ...summary, rejected_file: rejects.close() }
}

async function importPortions(
  database: Database,
  options: ImportOptions,
  source: ImportFile,
  summary: PushSummary,
  rejects: Rejects,
): Promise<void> {
  const progress = progressBar('lines')
  try {
    for await (const portion of source.portions) {
      const verdicts = await pushPortion(database, options, portion)
      for (const [index, { outcome, errors }] of verdicts.entries()) {
        summary.lines += 1
        summary[outcome] += 1
        if (outcome === 'rejected')
          rejects.write(source.rejectedHead, portion[index] as FileLine, errors.map(sentence).join('; '))
      }
      progress.show(summary.lines, source.partRead())
    }
  } finally {
    progress.end()
  }
}

async function pushPortion(
  database: Database,
  { project, mode, dryRun = false }: ImportOptions,
  portion: FileLine[],
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const push = {
    projectId: project,
    author: { actor: 'catalog import', source: 'cli' },
    mode,
    onError: 'continue',
    dryRun,
  } as const
  await pushProducts(
    database,
    push,
    portion.map(({ line }) => line),
    { begin: () => verdicts.splice(0), tell: (some) => verdicts.push(...some) },
  )
  return verdicts
}

function sentence({ pointer, code, message }: Verdict['errors'][number]): string {
  return `${pointer ? `${pointer} ` : ''}${message} (${code})`.replaceAll(/\s+/g, ' ')
}
