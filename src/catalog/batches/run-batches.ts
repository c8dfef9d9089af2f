import { mostBatchesOfProject } from '../../platform/database/connection-classes.ts'
import { type Batch, readAhead } from './read-batches.ts'

/**
 * Writes batches side by side; those that name the same product keep their order. Results are told in the order of the batches. Not a
 * concurrency limit: which batch waits depends on the products that it names.
 */
export async function runBatches<Result>(
  batches: AsyncGenerator<Batch>,
  write: (batch: Batch) => Promise<Result>,
  tell: (result: Result) => void,
): Promise<void> {
  const running: { skus: Set<string>; told: Promise<void> }[] = []
  let failed = false
  try {
    for await (const batch of readAhead(batches)) {
      const mustWait = () =>
        running.length === mostBatchesOfProject ||
        running.some((other) => !other.skus.isDisjointFrom(batch.skus))
      while (mustWait()) {
        await running[0]?.told
        running.shift()
      }
      if (failed) break
      const before = running.at(-1)?.told
      const told = write(batch).then(async (result) => {
        await before
        tell(result)
      })
      // Met when its turn comes.
      told.catch(() => {
        failed = true
      })
      running.push({ skus: batch.skus, told })
    }
    await running.at(-1)?.told
  } finally {
    await Promise.allSettled(running.map(({ told }) => told))
  }
}
