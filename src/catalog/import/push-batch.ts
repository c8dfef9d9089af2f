import type { Ruleset } from '../../model/quality/ruleset.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Push } from '../batches/apply-batch.ts'
import type { LineResult } from '../push/push-products.ts'
import { dryRun, pushProducts } from '../push/push-products.ts'
import { addsToProduct, type ImportMode } from './count-lines.ts'
import type { ImportOptions } from './import-plan.ts'
import type { Order } from './in-steps.ts'
import type { Proposer } from './propose-batches.ts'
import type { FileLine } from './rows/file-line.ts'
import { steps } from './rows/row-lines.ts'
import { isForeign } from './source.ts'

export function importModeOf({ dryRun: isDry, propose }: ImportOptions): ImportMode {
  return isDry === true ? 'dry run' : propose === true ? 'proposal' : 'import'
}

/** A proposal of a small file orders its lines itself, including lines that add to its products. */
export function orderOf(options: ImportOptions): Order {
  const importMode = importModeOf(options)
  if (importMode === 'dry run') return 'own'
  return importMode === 'import' && isForeign(options) ? 'steps' : 'steps of large files'
}

export async function pushBatch(
  database: Database,
  { project, mode, dryRun: isDry = false, pendingAssets }: ImportOptions & Pick<Push, 'pendingAssets'>,
  ruleset: Ruleset,
  batch: FileLine[],
  results: LineResult[],
  proposer: Proposer | undefined,
): Promise<void> {
  const push = {
    projectId: project,
    author: { actor: 'catalog import', source: 'cli' },
    ruleset,
    // Lines that add to products must not create any. They have separate batches, unless nothing is written.
    mode: batch.every(addsToProduct) ? 'update' : mode,
    pendingAssets,
  } as const
  const run = proposer?.propose ?? (isDry ? dryRun : pushProducts)
  const lines = batch.map(({ line }, place) => ({ ...line, number: place + 1 }))
  await run(database, push, lines, {
    begin: () => results.splice(0),
    add: (some) => results.push(...some),
  })
}

/** Sorts lines that add to products after the lines of these products. */
export function sortBySteps(batch: FileLine[]): FileLine[] {
  if (!batch.some(addsToProduct)) return batch
  return batch.toSorted((one, other) => steps.indexOf(one.step) - steps.indexOf(other.step))
}
