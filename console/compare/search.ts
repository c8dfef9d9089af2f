export const maxCompared = 4

export type CompareSearch = { ids?: string | undefined; only?: 'differences' | undefined }

/** The different IDs of the URL, at most as many as fit side by side. */
export function idsOf({ ids = '' }: CompareSearch): number[] {
  const read = ids
    .split(',')
    .filter((id) => /^[1-9]\d{0,14}$/.test(id))
    .map(Number)
  return [...new Set(read)].slice(0, maxCompared)
}

export function readCompareSearch({ ids, only }: Record<string, unknown>): CompareSearch {
  return {
    ids: ids === undefined ? undefined : String(ids),
    only: only === 'differences' ? only : undefined,
  }
}
