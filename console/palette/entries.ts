import type { IconName } from '../parts/icons.tsx'
import type { MediaItem } from '../wire.ts'

export type Entry = {
  /** Stable, because the browser stores recent choices by ID. */
  id: string
  icon: IconName
  /** The media of a product, whose first picture replaces the icon. */
  media?: readonly MediaItem[]
  label: string
  hint?: string | undefined
  /** Other search terms. */
  words?: string
} & ({ href: string } | { act: () => void })

export type Group = { name: string; entries: Entry[] }

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const wordsOf = (text: string) => folded(text).split(/\s+/).filter(Boolean)

/** Entries in which every word of the text starts a word. Entries that start with the text come first. */
export function matching(entries: readonly Entry[], text: string): Entry[] {
  const sought = wordsOf(text)
  const found = entries.filter(({ label, words = '' }) => {
    const own = wordsOf(`${label} ${words}`)
    return sought.every((word) => own.some((one) => one.startsWith(word)))
  })
  const isFirst = ({ label }: Entry) => folded(label).startsWith(folded(text))
  return [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))]
}

/** Matches like the service: every word, anywhere. */
export function isContained(text: string, own: string): boolean {
  const where = folded(own)
  return wordsOf(text).every((word) => where.includes(word))
}
