/** Adjusts the number of items per batch, so that a batch takes about the wanted time. */
export type BatchSize = { next(): number; took(milliseconds: number): void }

export function batchSize(first: number, most: number, wantedMilliseconds: number): BatchSize {
  let size = Math.max(1, Math.floor(Math.min(first, most)))
  return {
    next: () => size,
    took(milliseconds) {
      if (milliseconds < wantedMilliseconds / 2) size = Math.min(most, size * 2)
      else if (milliseconds > wantedMilliseconds) size = Math.max(1, Math.floor(size / 2))
    },
  }
}
