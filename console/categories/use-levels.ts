import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedCategory } from '../wire.ts'
import { levelQuery, levelSize, root } from './queries.ts'

type Place = { key: string; level: number; parent: number }
export type CategoryRow = Place & {
  kind: 'category'
  category: ListedCategory
  /** Position among siblings, from 1, and their number. */
  place: number
  siblings: number
  isOpen: boolean
}
/** A placeholder for rows that are loading or failed to load. */
export type SkeletonRow = Place & { kind: 'waiting'; error: Error | null; read: () => void }
export type TreeRow = CategoryRow | SkeletonRow

/** The rows of all open levels. Loads a level page when it becomes visible. */
export function useLevels(project: number) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [pages, setPages] = useState<ReadonlyMap<number, number>>(new Map())
  const parts = [root, ...open].flatMap((parent) =>
    Array.from({ length: pages.get(parent) ?? 1 }, (_, index) => ({ parent, page: index + 1 })),
  )
  const queries = useQueries({
    queries: parts.map(({ parent, page }) => levelQuery(project, parent, page)),
  })
  const queryOf = new Map(
    parts.map(({ parent, page }, index) => [`${parent}:${page}`, queries[index] as (typeof queries)[number]]),
  )
  const readNext = (parent: number) =>
    setPages((before) => new Map(before).set(parent, (before.get(parent) ?? 1) + 1))

  // During a refetch, a moved category can be in both levels.
  const met = new Set<number>()

  function* rowsOf(parent: number, level: number): Generator<TreeRow> {
    let place = 0
    for (let page = 1; ; page += 1) {
      const response = queryOf.get(`${parent}:${page}`)
      const waiting = { kind: 'waiting' as const, key: `more:${parent}:${page}`, level, parent }
      if (response === undefined) return yield { ...waiting, error: null, read: () => readNext(parent) }
      const { data, error, refetch } = response
      if (data === undefined) return yield { ...waiting, error, read: () => void (error && refetch()) }
      for (const category of data.results) {
        place += 1
        if (met.has(category.id)) continue
        met.add(category.id)
        const isOpen = open.has(category.id) && (category.children ?? 0) > 0
        const key = `category:${category.id}`
        yield { kind: 'category', key, level, parent, category, place, siblings: data.count, isOpen }
        if (isOpen) yield* rowsOf(category.id, level + 1)
      }
      if (page * levelSize >= data.count) return
    }
  }

  return {
    rootQuery: queries[0] as (typeof queries)[number],
    rows: [...rowsOf(root, 1)],
    setOpen: (id: number, isOpen: boolean) =>
      setOpen((before) => {
        const next = new Set(before)
        if (isOpen) next.add(id)
        else next.delete(id)
        return next
      }),
  }
}
