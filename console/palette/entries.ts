import type { IconName } from '../parts/icons.tsx'

/** Something to jump to, or to do. */
export type Entry = {
  /** The same at every opening, so that the browser can keep what was chosen. */
  id: string
  icon: IconName
  label: string
  /** What stands beside the label. */
  hint?: string | undefined
  /** Other words that people look for it by. */
  words?: string
} & ({ href: string } | { act: () => void })

export type Group = { name: string; entries: Entry[] }

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

const wordsOf = (text: string) => folded(text).split(/\s+/).filter(Boolean)

/** Those in which every word of the text begins a word; first those that begin with the text. */
export function matching(entries: readonly Entry[], text: string): Entry[] {
  const sought = wordsOf(text)
  const found = entries.filter(({ label, words = '' }) => {
    const own = wordsOf(`${label} ${words}`)
    return sought.every((word) => own.some((one) => one.startsWith(word)))
  })
  const isFirst = ({ label }: Entry) => folded(label).startsWith(folded(text))
  return [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))]
}

/** Whether the text occurs as the service searches: every word anywhere. */
export function isContained(text: string, own: string): boolean {
  const where = folded(own)
  return wordsOf(text).every((word) => where.includes(word))
}
