import { fileLimits } from '../limits.ts'
import type { FileLine } from './rows/file-line.ts'
import { type Step, steps } from './rows/row-lines.ts'

/** `own` keeps the order of the file. `steps of large files` uses steps only if the file exceeds one push, which sorts its lines. */
export type Order = 'own' | 'steps' | 'steps of large files'

/** Yields lines in batches. With steps, the file is read once per step that occurs in it, so parents may be anywhere. */
export async function* inSteps(
  read: () => AsyncGenerator<FileLine>,
  order: Order,
): AsyncGenerator<FileLine[]> {
  if (order === 'own') return yield* inBatches(read())
  const only = order === 'steps' ? undefined : await readOnlyBatch(read())
  if (only !== undefined) return yield only
  const found = new Set<Step>(['products'])
  for (const step of steps) if (found.has(step)) yield* inBatches(linesOfStep(read(), step, found))
}

async function* linesOfStep(
  lines: AsyncGenerator<FileLine>,
  step: Step,
  found: Set<Step>,
): AsyncGenerator<FileLine> {
  for await (const line of lines) {
    found.add(line.step)
    if (line.step === step) yield line
  }
}

/** Returns all lines if they fit into one batch. */
async function readOnlyBatch(lines: AsyncGenerator<FileLine>): Promise<FileLine[] | undefined> {
  for await (const batch of inBatches(lines)) return isFull(batch) ? undefined : batch
  return []
}

async function* inBatches(lines: AsyncGenerator<FileLine>): AsyncGenerator<FileLine[]> {
  let batch: FileLine[] = []
  let bytes = 0
  for await (const line of lines) {
    batch.push(line)
    bytes += sizeOf(line)
    if (batch.length < fileLimits.importLines && bytes < fileLimits.importBytes) continue
    yield batch
    batch = []
    bytes = 0
  }
  if (batch.length > 0) yield batch
}

function isFull(batch: FileLine[]): boolean {
  const bytes = batch.reduce((sum, line) => sum + sizeOf(line), 0)
  return batch.length >= fileLimits.importLines || bytes >= fileLimits.importBytes
}

function sizeOf({ line }: FileLine): number {
  return line.bytes?.length ?? 0
}
