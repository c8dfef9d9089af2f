/** The prompt that wrote the value of a field, and the product version that it created. */
type Entry = {
  prompt_id: number
  version_number: string
  model: string | null
  /** Who applied the proposal, if the write came from one. */
  reviewed_by: string | null
  /** Whether someone edited the value before it was applied. */
  edited?: true
  version: number
  at: string
}

/** An entry of a new write: the database adds the version and the time. A restored entry already has both. */
export type NewEntry = Omit<Entry, 'version' | 'at'> & Partial<Pick<Entry, 'version' | 'at'>>

/** By field, such as `description` or `attributes.color`. */
export type Entries = Record<string, Entry>
export type NewEntries = Record<string, NewEntry>

/** A change to a product: the changed fields, and the entries for those that a prompt wrote. */
type Step = { fields: Iterable<string>; provenance: NewEntries | undefined }

/** The entries of a product after the changes. A changed field loses its entry unless the change adds one. */
export function entriesAfter(held: Entries, version: number, steps: readonly Step[]): NewEntries {
  const entries = new Map<string, NewEntry>(Object.entries(held))
  for (const [index, { fields, provenance = {} }] of steps.entries()) {
    for (const field of fields) entries.delete(field)
    for (const [field, entry] of Object.entries(provenance))
      entries.set(field, { version: version + index + 1, ...entry })
  }
  return Object.fromEntries(entries)
}
