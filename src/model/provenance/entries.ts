/** Which prompt wrote the value that a field has, and which version of the product that made. */
type Entry = {
  prompt_id: number
  version_number: string
  model: string | null
  /** Who applied the proposal, where it was one. */
  reviewed_by: string | null
  version: number
  at: string
}

/** Of a write that is being made: the version and the time come with it. One that is restored has both already. */
export type NewEntry = Omit<Entry, 'version' | 'at'> & Partial<Pick<Entry, 'version' | 'at'>>

/** By field, such as `description` or `attributes.color`. */
export type Entries = Record<string, Entry>
export type NewEntries = Record<string, NewEntry>

/** A change of a product: the fields whose value it changes, and which of them a prompt wrote. */
type Step = { fields: Iterable<string>; provenance: NewEntries | undefined }

/** The entries of a product after some changes: a field that is changed loses its entry, unless the change brings one. */
export function entriesAfter(held: Entries, version: number, steps: readonly Step[]): NewEntries {
  const entries = new Map<string, NewEntry>(Object.entries(held))
  for (const [index, { fields, provenance = {} }] of steps.entries()) {
    for (const field of fields) entries.delete(field)
    for (const [field, entry] of Object.entries(provenance))
      entries.set(field, { version: version + index + 1, ...entry })
  }
  return Object.fromEntries(entries)
}
