/**
 * A place in the feed of a project: everything up to and with this event is read. The key tells whether the feed still holds that
 * event under that number, and the epoch whether the database is still the same.
 */
export type Cursor = { epoch: string; number: number; key: string; position: number }

/** Before the first event, in every epoch. */
export const beginning: Cursor = { epoch: '', number: 0, key: '', position: 0 }

const form = /^([0-9a-f]{8})\.(0|[1-9]\d{0,14})\.([0-9a-f]{8})\.(0|[1-9]\d{0,8})$/

/** Undefined where the text is no cursor. */
export function parseCursor(text: string): Cursor | undefined {
  if (text === '0') return beginning
  const [, epoch, number, key, position] = form.exec(text) ?? []
  if (epoch === undefined || key === undefined) return undefined
  return { epoch, number: Number(number), key, position: Number(position) }
}

export function formatCursor({ epoch, number, key, position }: Cursor): string {
  return epoch === '' ? '0' : `${epoch}.${number}.${key}.${position}`
}

/** Epochs and keys are uuids; a cursor has what suffices to tell them apart. */
export function shortened(uuid: string): string {
  return uuid.slice(0, 8)
}
