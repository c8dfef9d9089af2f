import { basename } from 'node:path'
import { requireProject } from '../../access/projects/project.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { progressBar } from '../../platform/terminal/progress.ts'
import type { LineResult } from '../push/push-products.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { type Counts, countLines } from './count-lines.ts'
import { formatOf, type ImportFile, openImport } from './import-file.ts'
import type { ImportOptions, Part, Plan } from './import-plan.ts'
import { nameLines } from './name-lines.ts'
import { planAkeneo } from './plan-akeneo.ts'
import { proposerOf } from './propose-batches.ts'
import { inOrder, orderOf, pushBatch, wayOf } from './push-batch.ts'
import { type Rejects, rejectsOf } from './rejected-lines.ts'
import type { FileLine } from './rows/file-line.ts'
import { type FileCounts, joinCounts } from './rows/tally.ts'
import { isForeign, sourceOf } from './source.ts'

export type ImportSummary = Counts & {
  /** In the order in which they are to be applied. */
  proposals?: number[]
  rejected_file: string | null
} & Partial<ReturnType<typeof joinCounts> & Plan['summary']>

export type Import = {
  run(database: Database): Promise<void>
  /** What was written, also when run() was left in the middle. */
  close(): ImportSummary
}

export function prepareImport(file: string, options: ImportOptions): Import {
  const way = wayOf(options)
  if (options.title !== undefined && way !== 'proposal')
    throw new Error('--title is for proposals; add --propose')
  const proposer = way === 'proposal' ? proposerOf(file, options.title) : undefined
  let plan: Plan | undefined
  let source: ImportFile | undefined
  let rejects: Rejects | undefined
  const rejectedFiles: string[] = []
  const counted: FileCounts[] = []
  let batch: FileLine[] = []
  // Of the batch that is being written, as its lines are applied; each includes the position of its line in the batch.
  const verdicts: LineResult[] = []
  const { count, counts } = countLines(way, (line, errors) => {
    if (source !== undefined) rejects?.write(source.rejectedHead, line, errors)
  })

  function countBatch(): void {
    for (const verdict of verdicts.sort((one, other) => one.line - other.line))
      count(batch[verdict.line - 1] as FileLine, verdict)
    verdicts.length = 0
  }

  async function runPart(database: Database, { file: name, readerOf }: Part): Promise<void> {
    const format = options.format ?? (isForeign(options) ? 'csv' : formatOf(name))
    rejects = rejectsOf(name, format, options.rejected, way === 'dry run')
    source = openImport(name, format, { encoding: options.encoding, readerOf, order: orderOf(options) })
    const batches = proposer?.batches(source.batches) ?? source.batches
    const progress = progressBar('lines')
    try {
      for await (const read of batches) {
        batch = inOrder(await nameLines(database, options.project, read))
        // Read again for each batch: an import can take hours.
        const ruleset = await currentRuleset(database, options.project)
        await pushBatch(database, options, ruleset, batch, verdicts, proposer)
        countBatch()
        progress.show(counts().lines, source.partRead())
      }
    } finally {
      progress.end()
    }
  }

  function closePart(): void {
    source?.close()
    countBatch()
    const rejected = rejects?.close() ?? null
    if (rejected !== null) rejectedFiles.push(rejected)
    if (source?.tally !== undefined) counted.push({ file: basename(source.file), ...source.tally.counts() })
    source = undefined
    rejects = undefined
  }

  return {
    async run(database) {
      plan = await planOf(database, file, options)
      for (const part of plan.parts) {
        await runPart(database, part)
        closePart()
      }
    },
    close() {
      closePart()
      const all = [...(plan?.counts() ?? []), ...counted]
      return {
        ...plan?.summary,
        ...counts(),
        ...(proposer && { proposals: proposer.ids }),
        rejected_file: rejectedFiles.length === 0 ? null : rejectedFiles.join(', '),
        ...(all.length > 0 && joinCounts(all)),
      }
    },
  }
}

async function planOf(database: Database, file: string, options: ImportOptions): Promise<Plan> {
  const { currency } = await requireProject(database, options.project)
  const { definitions } = await currentRuleset(database, options.project)
  const facts = { currency, definitions }
  if (options.from === 'akeneo') return planAkeneo(database, file, options, facts)
  return { parts: [{ file, readerOf: sourceOf(file, options, facts) }], summary: {}, counts: () => [] }
}
