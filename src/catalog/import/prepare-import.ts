import { basename } from 'node:path'
import { requireProject } from '../../access/projects/project.sql.ts'
import type { Database } from '../../platform/database/database.ts'
import { progressBar } from '../../platform/terminal/progress.ts'
import type { UploadFile } from '../assets/upload-file.ts'
import type { LineResult } from '../push/push-products.ts'
import { currentRuleset } from '../rulesets/rulesets.ts'
import { type Counts, countLines } from './count-lines.ts'
import { type ImportImages, importImages } from './images/import-images.ts'
import { attachImages, imageFolder } from './images/local-images.ts'
import { formatOf, type ImportFile, openImport } from './import-file.ts'
import type { ImportOptions, Part, Plan } from './import-plan.ts'
import { nameLines } from './name-lines.ts'
import { planAkeneo } from './plan-akeneo.ts'
import { proposerOf } from './propose-batches.ts'
import { importModeOf, orderOf, pushBatch, sortBySteps } from './push-batch.ts'
import { type Rejects, rejectsOf } from './rejected-lines.ts'
import type { FileLine } from './rows/file-line.ts'
import { type FileCounts, joinCounts } from './rows/tally.ts'
import { isForeign, sourceOf } from './source.ts'
import { isZip, openZipImport } from './zip-import.ts'

export type ImportSummary = Counts & {
  /** In the order in which to apply them. */
  proposals?: number[]
  rejected_file: string | null
  /** Images that were uploaded, or that a dry run would upload. */
  images?: number
} & Partial<ReturnType<typeof joinCounts> & Plan['summary']>

export type Import = {
  run(database: Database): Promise<void>
  /** The summary of what was written, also if run() was interrupted. */
  close(): ImportSummary
}

/** `uploadsTo` returns how images are uploaded, which only a file with images needs. */
export function prepareImport(
  file: string,
  options: ImportOptions,
  uploadsTo: (database: Database) => UploadFile,
): Import {
  const importMode = importModeOf(options)
  if (options.title !== undefined && importMode !== 'proposal') throw new Error('--title requires --propose')
  const proposer = importMode === 'proposal' ? proposerOf(file, options.title) : undefined
  let images: ImportImages | undefined
  let plan: Plan | undefined
  let source: ImportFile | undefined
  let rejects: Rejects | undefined
  const rejectedFiles: string[] = []
  const counted: FileCounts[] = []
  let batch: FileLine[] = []
  // Results of the current batch; each contains the position of its line in the batch.
  const results: LineResult[] = []
  const { count, counts } = countLines(importMode, (line, errors) => {
    if (source !== undefined) rejects?.write(source.rejectedHead, line, errors)
  })

  function countBatch(): void {
    for (const result of results.sort((one, other) => one.line - other.line))
      count(batch[result.line - 1] as FileLine, result)
    results.length = 0
  }

  function openPart(database: Database, { file: name, readerOf }: Part, own: ImportImages): ImportFile {
    const isDry = importMode === 'dry run'
    if (isZip(name)) {
      rejects = rejectsOf(name, 'ndjson', options.rejected, isDry)
      return openZipImport(name, database, options.project, own)
    }
    const format = options.format ?? (isForeign(options) ? 'csv' : formatOf(name))
    rejects = rejectsOf(name, format, options.rejected, isDry)
    return openImport(name, format, { encoding: options.encoding, readerOf, order: orderOf(options) })
  }

  async function runPart(database: Database, part: Part, own: ImportImages): Promise<void> {
    source = openPart(database, part, own)
    const folder = imageFolder(part.file, options)
    const batches = proposer?.batches(source.batches) ?? source.batches
    const progress = progressBar('lines')
    try {
      for await (const read of batches) {
        const named = await nameLines(database, options.project, read)
        batch = sortBySteps(await attachImages(named, folder, own))
        // Read for each batch, because an import can take hours.
        const ruleset = await currentRuleset(database, options.project)
        await pushBatch(
          database,
          { ...options, pendingAssets: own.pending },
          ruleset,
          batch,
          results,
          proposer,
        )
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
      images = importImages(uploadsTo(database), importMode === 'dry run')
      for (const part of plan.parts) {
        await runPart(database, part, images)
        closePart()
      }
    },
    close() {
      closePart()
      const all = [...(plan?.counts() ?? []), ...counted]
      return {
        ...plan?.summary,
        ...counts(),
        ...(images !== undefined && images.count() > 0 && { images: images.count() }),
        ...(proposer && { proposals: proposer.ids }),
        rejected_file: rejectedFiles.length === 0 ? null : rejectedFiles.join(', '),
        ...(all.length > 0 && joinCounts(all)),
      }
    },
  }
}

async function planOf(database: Database, file: string, options: ImportOptions): Promise<Plan> {
  const { currency } = await requireProject(database, options.project)
  const { definitions, views } = await currentRuleset(database, options.project)
  const facts = { currency, definitions, views }
  if (options.from === 'akeneo') return planAkeneo(database, file, options, facts)
  return { parts: [{ file, readerOf: sourceOf(file, options, facts) }], summary: {}, counts: () => [] }
}
