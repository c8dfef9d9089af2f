/**
 * A position in the event feed of a project: all events up to and including this one have been read. The key shows whether the feed
 * still has that event under its number, and the epoch shows whether it is still the same database.
 */
export type Cursor = { epoch: string; number: number; key: string; position: number }

/** Before the first event, in every epoch. */
export const beginning: Cursor = { epoch: '', number: 0, key: '', position: 0 }

const form = /^([0-9a-f]{8})\.(0|[1-9]\d{0,14})\.([0-9a-f]{8})\.(0|[1-9]\d{0,8})$/

/** Undefined if the text is not a cursor. */
export function parseCursor(text: string): Cursor | undefined {
  if (text === '0') return beginning
  const [, epoch, number, key, position] = form.exec(text) ?? []
  if (epoch === undefined || key === undefined) return undefined
  return { epoch, number: Number(number), key, position: Number(position) }
}

export function formatCursor({ epoch, number, key, position }: Cursor): string {
  return epoch === '' ? '0' : `${epoch}.${number}.${key}.${position}`
}

/** Epochs and keys are UUIDs; their first 8 characters are enough to distinguish them. */
export function shortUuid(uuid: string): string {
  return uuid.slice(0, 8)
}
